// The page's one seat: lay or join a table, follow its stream, send commands.
// Whatever happens, the table is drawn again from a fresh snapshot; events only
// lend the words. So a lost stream or a reload loses nothing.

import { tell } from './cards.js';
import { $, draw, drawWaiting, make } from './table.js';

const DIALECT = 'dialect=koikoi.protocol';
const KEPT = 'parlor.seat';
const STORY = 30;

let seat = null; // { table, code, token }
let snapshot = null;
let players = {};
let pending = null; // a hand card that waits for its target
let result = null; // how the last round ended, until it has been read
let sending = false;
let made = 0; // the position our last command reached
let deadline = null; // when the clock of whoever is awaited runs out
let source = null;
let connection = 0;
let retryIn = 500;
let reading = false;
let readAgain = false;

async function call(method, path, body, token = seat?.token) {
  const headers = { ...(body && { 'Content-Type': 'application/json' }), ...(token && { Authorization: `Bearer ${token}` }) };
  const answer = await fetch(`/api/v1/tables${path}`, { method, headers, body: body && JSON.stringify(body) });
  const said = await answer.json().catch(() => ({}));
  if (answer.ok) return said;
  throw Object.assign(new Error(said.error ?? `The server answered ${answer.status}.`), { status: answer.status, code: said.code });
}

function notice(text) {
  $('notice').hidden = !text;
  $('notice').textContent = text ?? '';
}

// Runs what a click asks for; a failure becomes a sentence on the page.
const attempt = (work) => async (...given) => {
  notice();
  try {
    await work(...given);
  } catch (error) {
    notice(error.status ? error.message : 'The server cannot be reached. Check the connection and try again.');
  }
};

function show(place) {
  $('lobby').hidden = place !== 'lobby';
  $('table').hidden = place !== 'table';
}

const who = (id) => (id && id === players.me ? 'You' : players[id] ?? id ?? '');

const positionOf = (one) => Number(one.event_id.slice('evt_'.length));

function redraw() {
  if (!seat || !snapshot) return;
  const upToDate = !sending && positionOf(snapshot) >= made;
  const myTurn = upToDate && snapshot.flow_state.active_player === snapshot.my_player_id;
  draw(snapshot, { who, myTurn, pending, result }, on);
}

function take(fresh) {
  if (snapshot && positionOf(fresh) < positionOf(snapshot)) return;
  snapshot = fresh;
  const left = fresh.flow_state.seconds_left;
  deadline = left === null ? null : Date.now() + left * 1000;
  meet(fresh.my_player_id, fresh.game.players);
  if (fresh.last_round) result = fresh.last_round;
  if (!fresh.cards.my_hand.includes(pending)) pending = null;
  redraw();
}

function meet(me, seated) {
  players = { me };
  for (const one of seated) players[one.id] = one.name;
}

// One request at a time; what happens meanwhile asks for one more.
async function refresh() {
  readAgain = true;
  if (reading) return;
  reading = true;
  const { table } = seat;
  while (readAgain && seat?.table === table) {
    readAgain = false;
    const fresh = await call('GET', `/${table}/snapshot?${DIALECT}`).catch(() => null);
    if (fresh && seat?.table === table) take(fresh);
  }
  reading = false;
  if (readAgain && seat) refresh();
}

function heard(event) {
  retryIn = 500;
  if (event.event === 'GameSnapshotRestore') return take(event);
  if (event.event === 'GameStarted') meet(event.my_player_id, event.players);
  const words = tell(event, who);
  if (words) {
    $('last').textContent = words;
    $('story').prepend(make('li', {}, words));
    while ($('story').children.length > STORY) $('story').lastChild.remove();
  }
  if (event.event !== 'TurnError') refresh();
}

// A ticket opens one stream. After a break a new one is fetched, and the
// snapshot that comes first restores everything.
async function connect() {
  const mine = ++connection;
  source?.close();
  const retry = () => {
    source?.close();
    if (mine === connection && seat) setTimeout(() => mine === connection && connect(), retryIn);
    retryIn = Math.min(retryIn * 2, 10000);
  };
  try {
    const { ticket } = await call('POST', `/${seat.table}/ticket`);
    if (mine !== connection) return;
    source = new EventSource(`/api/v1/tables/${seat.table}/events?${DIALECT}&ticket=${encodeURIComponent(ticket)}`);
    source.onopen = () => notice();
    source.onmessage = (message) => mine === connection && heard(JSON.parse(message.data));
    source.onerror = retry;
  } catch (error) {
    if (mine !== connection) return;
    if (error.status === 401 || error.status === 404) {
      leave();
      return notice('That table is no longer here.');
    }
    notice('The connection is lost. Trying again.');
    retry();
  }
}

function sit(taken) {
  seat = { table: taken.table_id, code: taken.code, token: taken.token };
  sessionStorage.setItem(KEPT, JSON.stringify(seat));
  enter();
}

function enter() {
  [snapshot, players, pending, result, made, deadline, retryIn] = [null, {}, null, null, 0, null, 500];
  $('story').replaceChildren();
  $('last').textContent = '';
  $('code-shown').textContent = `Table ${seat.code}`;
  drawWaiting(seat.code, on.bot);
  show('table');
  $('table').focus();
  connect();
}

function leave() {
  connection += 1;
  source?.close();
  seat = null;
  snapshot = null;
  sessionStorage.removeItem(KEPT);
  document.title = 'Parlor';
  show('lobby');
  listTables();
}

async function send(command) {
  if (sending) return;
  [sending, pending] = [true, null];
  redraw();
  try {
    made = (await call('POST', `/${seat.table}/commands?${DIALECT}`, command)).position;
  } finally {
    sending = false;
    redraw();
    if (seat) refresh();
  }
}

const on = {
  play: attempt((card, target) => {
    result = null;
    return send({ command: 'TurnPlayHandCard', card, target });
  }),
  select: attempt((card, target) => send({ command: 'TurnSelectTarget', source: card, target })),
  decide: attempt((decision) => send({ command: 'RoundMakeDecision', decision })),
  pend(card) { pending = card; redraw(); if (card) $('field').querySelector('button')?.focus(); },
  dismiss() { result = null; redraw(); },
  rematch: attempt(async () => sit(await call('POST', `/${seat.table}/rematch`))),
  bot: attempt(() => call('POST', `/${seat.table}/bots`, { bot: 'greedy' })),
  logAddress: () => `/api/v1/tables/${seat.table}/log?view=postmortem`,
};

const lay = (seats) => {
  // Without rules a table gets what this server plays by default.
  const rounds = Number($('rounds').value);
  const order = { game: 'koikoi', seats, ...(rounds && { rules: { rounds } }) };
  return call('POST', '', order, null);
};
const sitDown = async (table) => {
  const taken = await call('POST', `/${encodeURIComponent(table)}/seats`, { name: 'Guest' }, null);
  // Whoever fills the last seat begins the game; a table with open seats waits on.
  await call('POST', `/${taken.table_id}/start`, null, taken.token).catch(() => {});
  sit(taken);
};

async function listTables() {
  const { tables = [] } = await call('GET', '?status=waiting&limit=20', null, null).catch(() => ({}));
  const open = tables.filter((one) => one.game === 'koikoi' && one.seats.some((place) => place.name === null));
  const row = (one) => {
    const host = one.seats.find((place) => place.name !== null)?.name ?? 'nobody yet';
    const join = make('button', { type: 'button', onclick: attempt(() => sitDown(one.table_id)) }, 'Join');
    join.setAttribute('aria-label', `Join table ${one.code}`);
    return make('li', {}, `${one.code} · ${host}${one.rules.rounds ? ` · ${one.rules.rounds} rounds` : ''} `, join);
  };
  const none = make('li', {}, 'No table is waiting. “Play with a friend” opens one and gives you a code to pass on.');
  $('tables').replaceChildren(...(open.length ? open.map(row) : [none]));
}

$('play').onclick = attempt(async () => sit(await lay([{ name: 'You', kind: 'human' }, { kind: 'bot', bot: 'greedy' }])));
$('invite').onclick = attempt(async () => sit(await lay([{ name: 'Host', kind: 'human' }, { kind: 'human' }])));
$('join').onsubmit = (event) => {
  event.preventDefault();
  attempt(() => sitDown($('code').value.trim().toUpperCase()))();
};
$('leave').onclick = leave;
document.addEventListener('keydown', (event) => { if (event.key === 'Escape' && pending) on.pend(null); });
setInterval(() => {
  const left = seat && deadline ? Math.max(0, Math.ceil((deadline - Date.now()) / 1000)) : null;
  $('clock').textContent = left === null ? '' : `${left} s`;
}, 500);
setInterval(() => { if (!seat && !document.hidden) listTables(); }, 10000);

$('curl').textContent = [
  `curl -s ${location.origin}/api/v1/tables -d '{"game":"koikoi","seats":[{"name":"Ada","kind":"human"},{"kind":"bot","bot":"greedy"}]}'`,
  `curl -s ${location.origin}/api/v1/tables/$ID/snapshot?${DIALECT} -H "Authorization: Bearer $TOKEN"`,
  `curl -N ${location.origin}/api/v1/tables/$ID/events?${DIALECT} -H "Authorization: Bearer $TOKEN"`,
].join('\n');

try {
  seat = JSON.parse(sessionStorage.getItem(KEPT));
} catch { seat = null; }
if (seat?.table && seat.token) enter();
else { seat = null; listTables(); }

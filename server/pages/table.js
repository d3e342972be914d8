// Draws the table from a snapshot. It keeps nothing: what is on the page is
// what the snapshot says, and every click goes back through `on`.

import { CLASSES, YAKU, classOf, flower, isBlue, koiRisk, mark, matches, month, nameOf, roundResult,
  stopPays, yakuName } from './cards.js';

export const $ = (id) => document.getElementById(id);

export function make(tag, props = {}, ...children) {
  const element = Object.assign(document.createElement(tag), props);
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

const button = (text, onclick, className = '') => make('button', { type: 'button', className, onclick }, text);
const say = (element, text) => { if (element.textContent !== text) element.textContent = text; };

function card(id, { onclick, lifted = false, chosen = false, small = false } = {}) {
  const kind = classOf(id);
  const classes = ['card', kind, isBlue(id) && 'blue', lifted && 'lifted', chosen && 'chosen', small && 'small'];
  const face = make(onclick ? 'button' : 'span', { className: classes.filter(Boolean).join(' '), title: nameOf(id) });
  face.append(make('b', {}, String(month(id))), make('i', {}, flower(id)), make('em', {}, mark(id) || kind));
  const label = `${nameOf(id)}, month ${month(id)}, ${kind}`;
  if (!onclick) {
    face.setAttribute('role', 'img');
    face.setAttribute('aria-label', label);
    return face;
  }
  Object.assign(face, { type: 'button', onclick });
  face.dataset.card = id;
  face.setAttribute('aria-label', label + (lifted ? ', can take a card' : ''));
  face.setAttribute('aria-pressed', String(chosen));
  return face;
}

function captures(cards) {
  const piles = CLASSES.map((kind) => {
    const held = cards.filter((id) => classOf(id) === kind);
    const head = make('span', { className: 'kind' }, `${kind} ${held.length}`);
    return make('div', { className: 'captured' }, head, ...held.map((id) => card(id, { small: true })));
  });
  return make('div', { className: 'captures' }, ...piles);
}

function seatLine(snapshot, player, view) {
  const score = snapshot.game.cumulative_scores.find((one) => one.player_id === player)?.score ?? 0;
  const calls = snapshot.round.koi_status.find((one) => one.player_id === player)?.called_count ?? 0;
  const held = snapshot.round.yakus?.find((one) => one.player_id === player);
  const facts = [`${score} ${score === 1 ? 'point' : 'points'}`];
  if (player === snapshot.round.dealer) facts.push('dealer');
  if (calls) facts.push(`koi-koi × ${calls}`);
  if (held?.yakus.length) facts.push(`${held.yakus.map((one) => yakuName(one.type)).join(', ')} (${held.total_base})`);
  return make('p', { className: 'who' }, make('strong', {}, view.who(player)), ` · ${facts.join(' · ')}`);
}

function field(snapshot, view, on) {
  const { flow_state: flow, cards } = snapshot;
  let options = [];
  let choose = null;
  if (view.myTurn && flow.type === 'AWAITING_SELECTION') {
    ({ options } = flow.context.selection);
    choose = (id) => on.select(flow.context.selection.source, id);
  } else if (view.myTurn && view.pending) {
    options = matches(view.pending, cards.field);
    choose = (id) => on.play(view.pending, id);
  }
  return cards.field.map((id) => (options.includes(id)
    ? card(id, { lifted: true, onclick: () => choose(id) }) : card(id)));
}

function hand(snapshot, view, on) {
  const open = view.myTurn && snapshot.flow_state.type === 'AWAITING_HAND_PLAY';
  return snapshot.cards.my_hand.map((id) => {
    if (!open) return card(id);
    const found = matches(id, snapshot.cards.field);
    const onclick = () => (found.length === 2 ? on.pend(view.pending === id ? null : id) : on.play(id, null));
    return card(id, { onclick, lifted: found.length > 0, chosen: view.pending === id });
  });
}

// What is asked of the player now: a sentence, and the buttons to answer with.
function prompt(snapshot, view, on) {
  const { flow_state: flow } = snapshot;
  if (snapshot.finished) {
    const { winner, final_scores: scores } = snapshot.finished;
    const standing = scores.map((one) => `${view.who(one.player_id)} ${one.score}`).join(', ');
    const log = make('a', { href: on.logAddress(), download: '' }, 'Download the log');
    const won = winner ? `${view.who(winner)} won the match` : 'The match is drawn';
    return [`${won}: ${standing}.`, make('div', { className: 'panel' }, result(view, null),
      make('p', { className: 'answers' }, button('Rematch', on.rematch, 'primary'), log))];
  }
  const shown = result(view, on.dismiss);
  if (flow.stage === 'ROUND_OVER') return ['The round is over. The next one is being dealt.', shown];
  if (!view.myTurn) return [`${view.who(flow.active_player)} to move.`, shown];
  if (flow.type === 'AWAITING_SELECTION') {
    const { source } = flow.context.selection;
    return [`Your turn: the pile gave ${nameOf(source)}. Choose the field card it takes.`, card(source)];
  }
  if (flow.type === 'AWAITING_DECISION') return decision(snapshot, flow.context.yaku_update, on);
  if (view.pending) {
    const cancel = button('Another card', () => on.pend(null));
    return [`Your turn: choose the field card that ${nameOf(view.pending)} takes.`, cancel];
  }
  return ['Your turn: play a card from your hand.', shown];
}

function result(view, dismiss) {
  if (!view.result) return null;
  const close = dismiss && button('OK', dismiss);
  return make('div', { className: 'panel result' }, make('p', {}, roundResult(view.result, view.who)), close);
}

function decision(snapshot, update, on) {
  const pay = stopPays(snapshot, snapshot.my_player_id, update.total_base);
  const held = (update.all ?? update.new).map((one) => `${yakuName(one.type)} ${one.base_points}`).join(', ');
  const panel = make('div', { className: 'panel' },
    make('p', {}, `You hold ${held}. Stopping pays ${pay.sum}.`),
    make('p', {}, `Koi-koi: the round goes on. ${koiRisk(snapshot.game.ruleset)}`),
    make('p', { className: 'answers' },
      button(`Stop, score ${pay.points}`, () => on.decide('END_ROUND'), 'primary'),
      button('Koi-koi', () => on.decide('KOI_KOI'))));
  return ['Your turn: stop, or koi-koi?', panel];
}

function yakuRows(snapshot) {
  const mine = snapshot.cards.my_depository;
  const worth = snapshot.game.ruleset.yaku ?? {};
  const row = ([type, [name, gloss, need, have]]) => {
    const got = have(mine);
    const done = make('td', { className: got >= need ? 'done' : '' }, `${got} of ${need}`);
    return make('tr', {}, make('th', { scope: 'row' }, name), make('td', {}, gloss),
      make('td', {}, `${worth[type]} pt`), done);
  };
  return Object.entries(YAKU).filter(([type]) => worth[type] > 0).map(row);
}

export function draw(snapshot, view, on) {
  const focused = document.activeElement?.dataset?.card;
  const within = $('table').contains(document.activeElement) && document.activeElement !== $('table');
  const { cards, game, round } = snapshot;
  const mine = snapshot.my_player_id;
  const theirs = game.players.find((one) => one.id !== mine)?.id;
  const total = game.ruleset.total_rounds;
  const goal = game.ruleset.target_score;
  say($('round'), `Koi-Koi · round ${round.number}${total ? ` of ${total}` : ''}${goal ? ` · first to ${goal}` : ''}`);
  const backs = make('p', { className: 'backs' });
  backs.setAttribute('role', 'img');
  backs.setAttribute('aria-label', `${cards.opponent_hand_count} cards in hand`);
  backs.append(...Array.from({ length: cards.opponent_hand_count }, () => make('span', { className: 'back' })));
  $('theirs').replaceChildren(seatLine(snapshot, theirs, view), backs, captures(cards.opponent_depository));
  $('mine').replaceChildren(captures(cards.my_depository), seatLine(snapshot, mine, view));
  $('theirs').classList.toggle('active', snapshot.flow_state.active_player === theirs);
  $('mine').classList.toggle('active', view.myTurn);
  $('field').replaceChildren(...field(snapshot, view, on));
  $('hand').replaceChildren(...hand(snapshot, view, on));
  say($('pile'), `Pile: ${cards.deck_remaining}`);
  const [sentence, asked] = prompt(snapshot, view, on);
  say($('turn'), sentence);
  $('prompt').replaceChildren(...[asked].filter(Boolean));
  $('yaku').replaceChildren(...yakuRows(snapshot));
  document.title = view.myTurn ? 'Your turn · Parlor' : 'Koi-Koi · Parlor';
  const again = focused && document.querySelector(`[data-card="${focused}"]`);
  if (again) again.focus();
  else if (within && !$('table').contains(document.activeElement)) $('hand').focus();
}

// The table before its game has begun.
export function drawWaiting(code, bot) {
  for (const id of ['theirs', 'mine', 'field', 'hand', 'yaku']) $(id).replaceChildren();
  say($('round'), 'Koi-Koi');
  say($('pile'), '');
  say($('last'), '');
  say($('turn'), `Waiting for another player. Read them this code: ${code}`);
  $('prompt').replaceChildren(button('Play a bot instead', bot));
  document.title = 'Waiting · Parlor';
}

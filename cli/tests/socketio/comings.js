// Who comes and goes: late, twice, in the middle of a trick, for good.
'use strict';

const assert = require('node:assert/strict');
const { io } = require('socket.io-client');
const { Player, closeAll, expect, gather, open, pause, playOut, refused, url, within } = require('./client.js');

const indices = (heard) => heard.map(({ playerIndex }) => playerIndex);

// A game of three, stopped in the middle of a trick.
const midTrick = async (transports) => {
  const session = await open(3);
  const players = await gather(session, () => ({ seed: 5, ...(transports && { transports }) }));
  const stop = (table) => table.phase === 'tricks' && table.trick.length === 1;
  players[0].emit('game:start');
  players.forEach((player) => player.play(stop));
  await Promise.all(players.map((player) => player.until('a trick is under way', ({ table }) => stop(table))));
  return { session, players };
};

const joiningLate = async () => {
  const session = await open(2, [], { playerCount: 3 });
  const [ann] = await gather({ ...session, seats: session.seats.slice(0, 1) });
  assert.deepEqual([ann.events, ann.nicknames], [[], { 0: 'Ann', 1: 'Ben' }]);
  await ann.refused('INVALID_MOVE', 'NOT_ENOUGH_PLAYERS', 'game:start');
  const ben = await new Player({ ...session.seats[1], sessionId: session.id }).connected();
  await ann.until('Ben comes', ({ heard }) => heard['player:joined'].length === 1);
  const [{ playerIndex, nickname, isAI }] = ann.heard['player:joined'];
  assert.deepEqual([playerIndex, nickname, isAI], [1, 'Ben', false]);
  await ben.refused('INVALID_MOVE', 'NOT_HOST', 'game:start');

  const ai = await expect(201, 'POST', `/api/sessions/${session.code}/ai`, { difficulty: 'easy' },
    { 'x-secret-id': session.host });
  await ben.until('a bot comes', ({ heard }) => heard['player:joined'].length === 1);
  assert.deepEqual([ben.heard['player:joined'][0].playerIndex, ben.heard['player:joined'][0].isAI], [2, true]);
  await expect(204, 'DELETE', `/api/sessions/${session.code}/ai/${ai.playerIndex}`, undefined,
    { 'x-secret-id': session.host });
  await ben.until('the bot goes', ({ heard }) => heard['player:left'].length === 1);
  assert.deepEqual(indices(ben.heard['player:left']), [2]);

  // Cem takes the seat, and looks in only when the game has begun.
  const cem = await expect(201, 'POST', `/api/sessions/${session.code}/join`, { nickname: 'Cem' });
  ann.emit('game:start');
  await ann.until('the game begins', ({ events }) => events.length > 0);
  await ann.refused('INVALID_MOVE', 'GAME_ALREADY_STARTED', 'game:start');
  const late = await new Player({ seat: 2, ...cem, sessionId: session.code }).connected();
  assert.equal(late.events.length, ann.events.length, 'the whole game so far');
  await ann.until('Cem comes', ({ heard }) => indices(heard['player:joined']).includes(2));
  ann.heard.error.length = 0;
  ben.heard.error.length = 0;
  await playOut(session, [ann, ben, late]);
  assert.deepEqual(ann.heard['player:reconnected'], []);
  closeAll([ann, ben, late]);
};

const sameSocket = async () => {
  const { session, players } = await midTrick();
  const [ann, ben] = players;
  // The line breaks; the same socket comes back by itself.
  ben.socket.io.engine.close();
  await ann.until('Ben is gone', ({ heard }) => heard['player:left'].length === 1);
  await ann.until('Ben is back', ({ heard }) => heard['player:reconnected'].length === 1);
  await ben.until('the state comes again', ({ states }) => states === 2);
  assert.deepEqual([indices(ann.heard['player:left']), indices(ann.heard['player:reconnected'])], [[1], [1]]);
  await playOut(session, players);
  closeAll(players);
};

const freshSocket = async () => {
  const { session, players } = await midTrick(['polling']);
  const [ann, ben, cem] = players;
  const before = ben.events;
  ben.close();
  await ann.until('Ben is gone', ({ heard }) => heard['player:left'].length === 1);
  // Meanwhile the others go on as far as they can.
  [ann, cem].forEach((player) => player.play());
  const waits = ({ table }) => table.phase === 'tricks' && table.turn === 1;
  await ann.until('it is on Ben', waits);
  const back = await expect(200, 'POST', `/api/sessions/${session.code.toUpperCase()}/reconnect`,
    { secretId: ben.secretId });
  assert.deepEqual([back.playerId, back.playerIndex], ['p2', 1]);
  const again = await new Player({ ...session.seats[1], sessionId: session.code.toUpperCase(), seed: 5 }).connected();
  assert.deepEqual(again.events.slice(0, before.length), before);
  assert.equal(back.lastEventSequence, again.table.sequence);
  await ann.until('Ben is back', ({ heard }) => heard['player:reconnected'].length === 1);
  await playOut(session, [ann, again, cem]);
  closeAll([ann, again, cem]);
};

const twoSockets = async () => {
  const session = await open(2);
  const players = await gather(session, () => ({ seed: 6 }));
  const second = await new Player({ ...session.seats[1], sessionId: session.code, transports: ['websocket'] }).connected();
  players[0].emit('game:start');
  await playOut(session, players);
  await second.until('the end', ({ table }) => table.phase === 'finished');
  assert.deepEqual(second.events, players[1].events);
  assert.deepEqual(second.batches, players[1].batches, 'both hear the same steps');
  // One of two leaves: the seat is still there.
  second.close();
  await pause(200);
  assert.deepEqual(players[0].heard['player:left'], []);
  players[1].close();
  await players[0].until('nobody is left there', ({ heard }) => heard['player:left'].length === 1);
  closeAll(players);
};

const syncing = async () => {
  const { session, players } = await midTrick();
  const [ann] = players;
  const batches = ann.batches.length;
  ann.sync(3);
  await ann.until('the answer', (player) => player.batches.length === batches + 1);
  assert.deepEqual(ann.batches.at(-1), ann.events.slice(3), 'everything after the third event');
  ann.sync(ann.table.sequence);
  await ann.until('the answer', (player) => player.batches.length === batches + 2);
  assert.deepEqual(ann.batches.at(-1), []);
  await ann.refused('SYNC_FAILED', 'MALFORMED', 'game:sync');
  await ann.refused('SYNC_FAILED', 'MALFORMED', 'game:sync', { lastEventSequence: -1 });
  await ann.refused('SYNC_FAILED', 'POSITION_AHEAD', 'game:sync', { lastEventSequence: 100_000 });
  ann.heard.error.length = 0;
  // In the midst of moves, an answer does not make events come twice.
  const noise = setInterval(() => ann.sync(ann.table.sequence), 5);
  await playOut(session, players);
  clearInterval(noise);
  closeAll(players);
};

const melding = async () => {
  const session = await open(4);
  const players = await gather(session, () => ({ seed: 8 }));
  players[0].emit('game:start');
  // Nobody melds until everyone may; then all in the same instant.
  const may = (table) => table.phase === 'melding' && !table.goingOut;
  players.forEach((player) => player.play(may));
  await Promise.all(players.map((player) => player.until('melding', ({ table }) => may(table))));
  const before = players[0].events.length;
  players.forEach((player) => player.emit('game:declareMelds', { melds: [{ type: 'PAAR', cards: [], points: 9999 }] }));
  await Promise.all(players.map((player) => player.until('all have melded', ({ table }) => table.phase === 'tricks')));
  const melds = players[0].events.slice(before).filter(({ type }) => type === 'MELDS_DECLARED');
  assert.deepEqual(melds.map(({ payload }) => payload.playerIndex).sort(), [0, 1, 2, 3]);
  assert.ok(melds.every(({ payload }) => payload.totalPoints < 9999), 'the server counts');
  await playOut(session, players);
  closeAll(players);
};

const exiting = async () => {
  const { session, players } = await midTrick();
  const [ann, ben, cem] = players;
  cem.emit('game:exit');
  for (const player of players) {
    await player.until('the session is over', ({ terminated, left }) => terminated && left);
    assert.deepEqual([player.table.phase, player.table.terminatedBy], ['terminated', 2]);
    assert.equal(player.terminated.terminatedBy, 'Cem');
    assert.equal(typeof player.terminated.message, 'string');
    assert.equal(player.left, 'io server disconnect');
  }
  const shown = await expect(200, 'GET', `/sessions/${session.code}`);
  assert.equal(shown.status, 'terminated');
  // Whoever looks in again sees how it ended, and is told why.
  const again = await new Player({ ...session.seats[1], sessionId: session.code }).connected();
  assert.equal(again.events.at(-1).type, 'GAME_TERMINATED');
  await again.until('it is over', ({ terminated, left }) => terminated && left);
  assert.equal(again.terminated.terminatedBy, 'Cem');
  await refused(410, 'SESSION_TERMINATED', 'POST', `/api/sessions/${session.code}/join`, { nickname: 'Eva' });
  closeAll([ann, ben, cem, again]);
};

const exporting = async () => {
  const { session, players } = await midTrick();
  const path = `/api/sessions/${session.code}/events/export`;
  const lines = await expect(200, 'GET', path, undefined, { 'x-secret-id': session.host });
  const events = lines.trim().split('\n').map((line) => JSON.parse(line));
  assert.equal(events[0].eventType, 'GAME_STARTED');
  assert.equal(events.at(-1).eventType, 'GAME_TERMINATED');
  for (const player of players) {
    await player.until('the session is over', ({ terminated, left }) => terminated && left);
    assert.equal(player.terminated.terminatedBy, undefined);
    assert.equal(player.table.reason, 'debug_export');
  }
  assert.equal(await expect(200, 'GET', path, undefined, { 'x-secret-id': session.host }), lines);
};

// Nothing happens for longer than this house waits: two seconds.
const inactive = async () => {
  const waiting = await open(2);
  const { session, players } = await midTrick();
  const [lonely] = await gather({ ...waiting, seats: waiting.seats.slice(0, 1) });
  for (const player of [...players, lonely]) {
    await player.until('the session is over', ({ terminated, left }) => terminated && left);
    assert.match(player.terminated.message, /inactivity/);
    assert.equal(player.terminated.terminatedBy, undefined);
  }
  assert.equal(players[0].table.reason, 'inactivity');
  for (const { code, seats } of [session, waiting]) {
    assert.equal((await expect(200, 'GET', `/api/sessions/${code}`)).status, 'terminated');
    await refused(410, 'SESSION_TERMINATED', 'POST', `/sessions/${code}/join`, { nickname: 'Eva' });
    const late = await new Player({ ...seats[1], sessionId: code }).connected();
    await late.until('it is over', ({ terminated, left }) => terminated && left);
    assert.match(late.terminated.message, /inactivity/);
  }
};

// People go away from a table where all may pass. Clocks go on passing for
// them, and that keeps no room alive.
const deserted = async () => {
  const { code, seats } = await open(2, [], { rules: { opener_may_pass: true, turn_seconds: 3 } });
  const events = [];
  const sockets = seats.map(({ secretId }) => io(url, { auth: { secretId, sessionId: code }, forceNew: true }));
  sockets[0].on('game:events', (batch) => events.push(...batch.events));
  const over = new Promise((done) => { sockets[0].on('session:terminated', done); });
  await Promise.all(sockets.map((socket) => new Promise((done) => { socket.once('game:state', done); })));
  sockets[0].emit('game:start');
  sockets[1].disconnect();
  const { message } = await within(over, 'the end of the session');
  assert.match(message, /inactivity/);
  const passes = events.filter(({ type }) => type === 'PLAYER_PASSED');
  assert.ok(passes.length > 0, 'the clock has passed meanwhile');
};

// Who goes out waits for the melds of those who are away, and of a bot, no
// longer than the clock.
const goneOut = async () => {
  const session = await open(2, ['easy'], { rules: { turn_seconds: 3 } });
  const players = await gather(session);
  const [ann, ben] = players;
  ann.emit('game:start');
  await ann.until('bidding', ({ table }) => table.phase === 'bidding');
  ann.emit('game:bid', { amount: 1000 });
  await ann.until('it is on Ben', ({ table }) => table.bid === 1000);
  await ben.until('it is on Ben', ({ table }) => table.bid === 1000);
  ben.emit('game:pass');
  await ann.until('the dabb', ({ table }) => table.phase === 'dabb');
  ben.close();
  ann.emit('game:takeDabb');
  await ann.until('it is taken', ({ table }) => table.hasDabb);
  const began = Date.now();
  ann.emit('game:goOut', { suit: 'herz' });
  await ann.until('the round is scored', ({ table }) => table.rounds === 1);
  assert.ok(Date.now() - began < 6000, 'nobody waits longer than the clock');
  assert.deepEqual(ann.heard.error, []);
  closeAll(players);
};

// The same command again under its key does nothing new, and is answered.
const keys = async () => {
  const session = await open(2);
  const players = await gather(session);
  const [ann, ben] = players;
  const answers = [];
  ann.socket.on('game:answer', (answer) => ann.take(() => answers.push(answer)));
  ann.emit('game:start');
  await ann.until('the game begins', ({ table }) => table.phase === 'bidding');
  const bid = { amount: 150, idempotency_key: 'first bid' };
  ann.emit('game:bid', bid).emit('game:bid', bid);
  await ann.until('both are answered', () => answers.length === 2);
  const { sequence } = ann.events.find(({ type }) => type === 'BID_PLACED');
  assert.deepEqual(answers, Array(2).fill({ idempotency_key: 'first bid', sequence }));
  await ann.refused('INVALID_MOVE', 'IDEMPOTENCY_KEY_REUSED', 'game:bid', { ...bid, amount: 160 });
  await ann.refused('GOOUT_FAILED', 'IDEMPOTENCY_KEY_REUSED', 'game:goOut', { suit: 'herz', idempotency_key: 'first bid' });
  for (const key of ['', 7, 'x'.repeat(129), '\n']) {
    await ann.refused('INVALID_MOVE', 'MALFORMED', 'game:pass', { idempotency_key: key });
  }
  await ben.until('one bid', ({ events }) => events.at(-1).sequence === sequence);
  assert.equal(ben.events.filter(({ type }) => type === 'BID_PLACED').length, 1);
  ann.heard.error.length = 0;
  await playOut(session, players);
  closeAll(players);
};

module.exports = {
  deserted, exiting, exporting, freshSocket, goneOut, inactive, joiningLate, keys, melding, sameSocket, syncing, twoSockets,
};

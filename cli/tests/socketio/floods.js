// Far too much at once: only who sends it notices.
'use strict';

const assert = require('node:assert/strict');
const { call, closeAll, expect, gather, open, pause, playOut } = require('./client.js');

const EVENTS = 10_000;

// Sends as fast as the line takes it.
const flood = async (player, ...said) => {
  for (let sent = 0; sent < EVENTS; sent += 100) {
    for (let burst = 0; burst < 100; burst += 1) player.emit(...said);
    await pause(0);
  }
};

// With limits: thirty events in ten seconds, on each socket.
const limited = async () => {
  const session = await open(2);
  const opened = Date.now();
  const players = await gather(session, () => ({ transports: ['websocket'] }));
  const [ann, ben] = players;
  ann.emit('game:start');
  await Promise.all(players.map((player) => player.until('bidding', ({ table }) => table.phase === 'bidding')));
  const before = ben.events.length;
  await flood(ben, 'game:pass');
  await ben.until('it is too much', ({ heard }) => heard.error.some(({ params }) => params.reason === 'RATE_LIMITED'));
  // Meanwhile the other is served as ever.
  const began = Date.now();
  ann.emit('game:bid', { amount: 150 });
  await ann.until('a bid', ({ table }) => table.bid === 150);
  assert.ok(Date.now() - began < 3000, 'nobody else is disturbed');
  await ben.until('a bid', ({ table }) => table.bid === 150);
  assert.equal(ben.events.length, before + 1, 'nothing was lost, and nothing else happened');
  await pause(100);
  const errors = ben.heard.error.map(({ code, params }) => [code, params.reason]);
  const refusals = errors.filter(([, reason]) => reason === 'RATE_LIMITED');
  assert.deepEqual(new Set(refusals.map(String)), new Set(['INVALID_MOVE,RATE_LIMITED']));
  // Thirty in each ten seconds were heard, and refused for what they were;
  // the server does not flood back.
  const windows = Math.ceil((Date.now() - opened) / 10_000);
  const heard = errors.length - refusals.length;
  assert.ok(heard >= 30 && heard <= 30 * windows, `${heard} were heard`);
  assert.ok(refusals.length <= 30 * windows, `${refusals.length} refusals`);
  assert.deepEqual(ann.heard.error, []);
  await expect(200, 'GET', '/healthz');
  // A hundred calls a minute, from one address.
  const calls = Array.from({ length: 300 }, () => call('GET', `/api/sessions/${session.code}`));
  const answers = await Promise.all(calls);
  const tooMany = answers.filter(({ status }) => status === 429);
  assert.ok(tooMany.length > 0 && tooMany.length < 220, `${tooMany.length} calls too many`);
  assert.ok(tooMany.every(({ body }) => body.code === 'RATE_LIMITED'));
  closeAll(players);
};

// Without limits the noise is refused for what it is, and a game goes on
// beside it to its end.
const unlimited = async () => {
  const session = await open(2);
  const noisy = await open(2);
  const players = await gather(session, () => ({ seed: 12 }));
  const [eve] = await gather({ ...noisy, seats: noisy.seats.slice(0, 1) }, () => ({ transports: ['websocket'] }));
  players[0].emit('game:start');
  const [,] = await Promise.all([playOut(session, players), flood(eve, 'game:bid', { amount: 150 })]);
  await eve.until('some are refused', ({ heard }) => heard.error.length > 0);
  const codes = new Set(eve.heard.error.map(({ code }) => code));
  assert.ok([...codes].every((code) => code === 'INVALID_MOVE'), [...codes].join());
  assert.deepEqual(eve.events, []);
  closeAll([...players, eve]);
};

// More than a command can be long.
const oversized = async () => {
  const session = await open(2);
  const [ann, ben] = await gather(session, (seat) => ({ transports: [['websocket'], ['polling']][seat] }));
  ann.emit('game:start');
  await ben.until('bidding', ({ table }) => table.phase === 'bidding');
  const long = { cardId: 'x'.repeat(20_000) };
  for (const player of [ann, ben]) {
    player.emit('game:playCard', long);
    await player.until('it is cut off and comes back', ({ states }) => states === 2);
  }
  ann.emit('game:bid', { amount: 150 });
  await ben.until('the game goes on', ({ table }) => table.bid === 150);
  closeAll([ann, ben]);
};

module.exports = { limited, oversized, unlimited };

// Coming back to a long game: the past always comes, once, before anything
// else. Sockets are those of a default client: they begin by polling and
// change to WebSocket while the past is on its way.
'use strict';

const assert = require('node:assert/strict');
const { Player, closeAll, gather, open, pause, playOut, within } = require('./client.js');

const SIZES = [1, 15, 17, 60, 200, 500].map((kilobytes) => kilobytes * 1000);
const AT_ONCE = 10;

const sizeOf = (events) => JSON.stringify({ events }).length;

// Two people who play until the past of the first is this long.
const grow = async (players, size) => {
  const isLong = () => sizeOf(players[0].events) >= size;
  players.forEach((player) => player.play(isLong));
  await players[0].until(`${size} bytes of past`, isLong);
  // The other may have moved in the same instant.
  await pause(100);
};

// The change to WebSocket has happened, and the line is alive after it.
const settled = async (player) => {
  const { engine } = player.socket.io;
  await within(new Promise((done) => {
    if (engine.transport.name === 'websocket') done();
    else engine.once('upgrade', done);
  }), 'the change to WebSocket');
  const { length } = player.batches;
  player.sync(player.table.sequence);
  await player.until('an answer', ({ batches }) => batches.length > length);
};

const reload = async (seat, options) => {
  const player = await new Player({ ...seat, ...options }).connected();
  if (!options.transports) await settled(player);
  assert.equal(player.states, 1, 'the state comes once');
  return player;
};

// So many fresh sockets of one seat, some at a time. The class itself checks
// that events are dense, so none can come before the state or be missed.
const reloads = async (seat, sessionId, count, check, options = {}) => {
  for (let done = 0; done < count; done += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, count - done) },
      () => reload(seat, { sessionId, ...options }));
    const players = await Promise.all(some);
    players.forEach(check);
    closeAll(players);
  }
};

const ofEverySize = async () => {
  const session = await open(2, [], { targetScore: 20_000 });
  const players = await gather(session, () => ({ seed: 4 }));
  players[0].emit('game:start');
  for (const size of SIZES) {
    await grow(players, size);
    const { events } = players[0];
    const isWhole = (player) => assert.deepEqual(player.events, events);
    await reloads(session.seats[0], session.code, 40, isWhole);
    for (const transports of [['polling'], ['websocket'], ['websocket', 'polling']]) {
      await reloads(session.seats[0], session.code, 10, isWhole, { transports });
    }
  }
  closeAll(players);
};

// The game goes on meanwhile, and the socket that comes back joins in.
const midGame = async () => {
  const session = await open(2, ['easy'], { targetScore: 3000 });
  const players = await gather(session, () => ({ seed: 9 }));
  players[0].emit('game:start');
  const whole = playOut(session, players);
  const isOver = () => players[0].table.phase === 'finished';
  let count = 0;
  while (!isOver()) {
    await reloads(session.seats[1], session.code, AT_ONCE, () => { count += 1; });
  }
  await whole;
  assert.ok(players[0].events.length >= 500, `${players[0].events.length} events`);
  const isWhole = (player) => assert.deepEqual(player.events, players[1].events);
  await reloads(session.seats[1], session.code, 100, isWhole);
  assert.ok(count > 0);
  closeAll(players);
};

// Many seats that only poll, behind one address that may make few calls: they
// wait for each other, and none of them is cut off.
const polling = async () => {
  const tables = [];
  for (let table = 0; table < 2; table += 1) {
    const session = await open(4);
    tables.push({ session, players: await gather(session, () => ({ seed: table, transports: ['polling'] })) });
  }
  await Promise.all(tables.map(async ({ session, players }) => {
    players[0].emit('game:start');
    await playOut(session, players);
    for (const player of players) {
      assert.equal(player.left, undefined, 'the session never ended');
      assert.equal(player.states, 1);
      assert.deepEqual(player.heard['player:left'], []);
    }
    closeAll(players);
  }));
};

// A client that has more to say than fits one request is told to part it.
const longBatch = async () => {
  const session = await open(2);
  const [ann] = await gather(session, () => ({ transports: ['polling'] }));
  for (let index = 0; index < 60; index += 1) ann.emit('game:playCard', { cardId: 'x'.repeat(1000) });
  await ann.until('all are refused', ({ heard }) => heard.error.length === 60);
  assert.deepEqual([ann.states, ann.left], [1, undefined]);
  closeAll([ann]);
};

module.exports = { longBatch, midGame, ofEverySize, polling };

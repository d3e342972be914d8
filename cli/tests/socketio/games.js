// Whole games, from the first bid to the last trick.
'use strict';

const assert = require('node:assert/strict');
const { closeAll, gather, open, playOut } = require('./client.js');

// Each seat comes by another way: polling alone, websocket alone, or polling
// that is upgraded.
const ways = [['polling'], ['websocket'], ['polling', 'websocket']];

const people = async (count) => {
  const session = await open(count);
  const players = await gather(session, (seat) => ({ seed: count, transports: ways[seat % ways.length] }));
  players[0].emit('game:start');
  await playOut(session, players);
  assert.equal(players[0].socket.io.engine.transport.name, 'polling');
  const [first] = players[0].batches;
  const types = [...Array(count).fill('PLAYER_JOINED'), 'GAME_STARTED', 'CARDS_DEALT'];
  assert.deepEqual(first.map(({ type }) => type), types, 'one batch for one command');
  const shapes = players[0].batches.map((batch) => batch.map(({ type }) => type).join(' '));
  assert.ok(shapes.includes('PLAYER_PASSED BIDDING_WON'));
  assert.ok(shapes.some((shape) => /^MELDS_DECLARED MELDING_COMPLETE/.test(shape)));
  assert.ok(shapes.some((shape) => /^CARD_PLAYED TRICK_WON ROUND_SCORED GAME_FINISHED$/.test(shape))
    || shapes.some((shape) => /MELDING_COMPLETE ROUND_SCORED GAME_FINISHED$/.test(shape)));
  for (const player of players.slice(1)) {
    assert.equal(player.batches.length, players[0].batches.length, 'everyone hears every step');
  }
  closeAll(players);
};

const withBots = async (count) => {
  const levels = ['easy', 'medium', 'hard'].slice(0, count - 1);
  const session = await open(1, levels);
  const players = await gather(session, () => ({ seed: count + 10 }));
  players[0].emit('game:start');
  await playOut(session, players);
  assert.equal(players[0].socket.io.engine.transport.name, 'websocket', 'polling first, then upgraded');
  closeAll(players);
};

// Two rounds without trump, then as ever: the table holds both against the rules.
const announcing = async () => {
  const session = await open(3, [], { rules: { durch: true, bettel: true } });
  const players = await gather(session, () => ({ seed: 7 }));
  players[0].emit('game:start');
  await playOut(session, players);
  const said = players[2].events.filter(({ type }) => type === 'SPECIAL_ANNOUNCED');
  assert.deepEqual(said.map(({ payload }) => payload.special), ['durch', 'bettel']);
  for (const shape of [/^SPECIAL_ANNOUNCED MELDING_COMPLETE$/, /^CARD_PLAYED TRICK_WON ROUND_SCORED NEW/]) {
    assert.ok(players[1].batches.some((batch) => shape.test(batch.map(({ type }) => type).join(' '))));
  }
  closeAll(players);
};

module.exports = {
  announcing,
  two: () => people(2),
  three: () => people(3),
  four: () => people(4),
  withBots: async () => {
    await Promise.all([2, 3, 4].map(withBots));
  },
};

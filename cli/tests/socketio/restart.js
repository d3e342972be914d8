// The server ends in the middle of it, and comes back at the same address.
'use strict';

const assert = require('node:assert/strict');
const { Player, closeAll, expect, gather, open, playOut } = require('./client.js');

// Asks whoever runs this to end the server and to start it again.
const restart = (how) => new Promise((back) => {
  process.stdin.once('data', back);
  process.stdout.write(`${how}\n`);
});

const midGame = async () => {
  const waiting = await open(1, [], { playerCount: 2 });
  const session = await open(2, ['easy']);
  const players = await gather(session, (seat) => ({ seed: 31, transports: [['websocket'], ['polling']][seat] }));
  players[0].emit('game:start');
  players.forEach((player) => player.play());
  for (const [cards, how] of [[4, 'kill'], [12, 'stop']]) {
    const played = ({ events }) => events.filter(({ type }) => type === 'CARD_PLAYED').length >= cards;
    await players[0].until(`${cards} cards are played`, played);
    const states = players.map((player) => player.states);
    await restart(how);
    // The same sockets come back by themselves; what they had heard is there.
    await Promise.all(players.map((player, seat) =>
      player.until('the state comes again', () => player.states > states[seat])));
  }
  await playOut(session, players);
  assert.deepEqual(players[0].heard['player:joined'].map(({ playerIndex }) => playerIndex), [1]);

  // Codes, secrets and seats that were waiting are still there.
  const joined = await expect(201, 'POST', `/api/sessions/${waiting.code}/join`, { nickname: 'Ben' });
  const late = await gather({ ...waiting, seats: [...waiting.seats, { seat: 1, ...joined }] });
  late[0].emit('game:start');
  await late[1].until('it begins', ({ table }) => table.phase === 'bidding');
  closeAll([...players, ...late]);
};

// Who has been there before is known also after a crash.
const whoCame = async () => {
  const session = await open(2);
  const [ann, ben] = await gather(session);
  await ann.until('Ben joins', ({ heard }) => heard['player:joined'].length === 1);
  ben.close();
  await ann.until('Ben leaves', ({ heard }) => heard['player:left'].length === 1);
  await restart('kill');
  await ann.until('Ann is back', ({ states }) => states === 2);
  const again = await new Player({ ...session.seats[1], sessionId: session.code }).connected();
  await ann.until('Ben returns', ({ heard }) => heard['player:reconnected'].length === 1);
  assert.equal(ann.heard['player:joined'].length, 1);
  closeAll([ann, again]);
};

module.exports = { midGame, restart, whoCame };

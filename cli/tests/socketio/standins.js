// A bot plays for whoever is away for long, where the table wants it, until
// they are back.
'use strict';

const assert = require('node:assert/strict');
const { io } = require('socket.io-client');
const { Player, closeAll, expect, gather, open, pause, playOut, url, within } = require('./client.js');
const { restart } = require('./restart.js');

const TAKEOVER = 3;
const SUBSTITUTED = 'player:substituted';

const indices = (heard) => heard.map(({ playerIndex }) => playerIndex);

const shown = async ({ code }, seat) => (await expect(200, 'GET', `/api/sessions/${code}`)).players[seat];

// Two people and a bot in the middle of a trick, and Ben has gone.
const withoutBen = async () => {
  const session = await open(2, ['easy'], { rules: { takeover: TAKEOVER }, targetScore: 1000 });
  const players = await gather(session, () => ({ seed: 12 }));
  const [ann, ben] = players;
  const stop = (table) => table.phase === 'tricks' && table.trick.length === 1;
  ann.emit('game:start');
  players.forEach((player) => player.play(stop));
  await Promise.all(players.map((player) => player.until('a trick is under way', ({ table }) => stop(table))));
  ben.close();
  await ann.until('Ben is gone', ({ heard }) => heard['player:left'].length === 1);
  return { session, ann, ben };
};

const away = async () => {
  const { session, ann, ben } = await withoutBen();
  const start = ann.events.find(({ type }) => type === 'GAME_STARTED');
  assert.equal(start.payload.rules.takeover, TAKEOVER, 'the table says so');
  assert.equal((await shown(session, 1)).standIn, undefined, 'nobody stands in at once');

  // Ann plays on until the second round, and a bot plays for Ben.
  ann.play(({ rounds }) => rounds > 0);
  await ann.until('a bot stands in', ({ heard }) => heard[SUBSTITUTED].length === 1);
  const [{ playerIndex, nickname, isAI }] = ann.heard[SUBSTITUTED];
  assert.deepEqual([playerIndex, nickname, isAI], [1, 'Ben', false]);
  await ann.until('the round is over', ({ table }) => table.rounds === 1);
  const { connected, standIn } = await shown(session, 1);
  assert.deepEqual([connected, standIn], [false, true]);
  const info = await expect(200, 'GET', `/api/v1/tables/${session.id}`);
  assert.deepEqual(info.seats.map(({ stand_in }) => stand_in), [undefined, true, undefined]);

  // Who asks without a socket is there for that moment, too.
  await expect(200, 'GET', `/api/v1/tables/${session.id}/snapshot`, undefined,
    { authorization: `Bearer ${ben.secretId}` });
  await ann.until('Ben is heard of', ({ heard }) => heard['player:reconnected'].length === 1);
  assert.equal((await shown(session, 1)).standIn, undefined);

  // Ben is back: all of it is told, and the seat is his alone.
  const again = await new Player({ ...session.seats[1], sessionId: session.code, seed: 12 }).connected();
  assert.deepEqual(again.events.slice(0, ben.events.length), ben.events);
  assert.equal(again.table.rounds, 1, 'the bot has played the round for him');
  await ann.until('Ben is back', ({ heard }) => heard['player:reconnected'].length === 2);
  ann.play();
  await pause(1000);
  const stood = ann.events.length;
  await pause((TAKEOVER + 1) * 1000);
  assert.equal(ann.events.length, stood, 'everyone waits for Ben');
  await playOut(session, [ann, again]);
  assert.deepEqual(indices(ann.heard[SUBSTITUTED]), [1], 'once was enough');
  closeAll([ann, again]);
};

// The server forgets who is away, but not that somebody is. With nobody there at
// all, the bots play the game to its end.
const everyone = async () => {
  const { session, ann } = await withoutBen();
  await restart('kill');
  await ann.until('Ann is back', ({ states }) => states === 2);
  ann.play(({ rounds }) => rounds > 0);
  await ann.until('a bot stands in', ({ heard }) => indices(heard[SUBSTITUTED]).includes(1));
  await ann.until('the round is over', ({ table }) => table.rounds === 1);
  ann.close();
  await restart('stop');
  for (let tries = 0; ; tries += 1) {
    const { status } = await expect(200, 'GET', `/api/sessions/${session.code}`);
    if (status === 'finished') break;
    assert.deepEqual([status, tries < 150], ['active', true]);
    await pause(200);
  }
};

// What bots do for people is not what people do: the room lapses.
const lapsing = async () => {
  // Where all may pass and the least bid is beyond any hand, bots pass for ever.
  const rules = { takeover: TAKEOVER, opener_may_pass: true, minimum_bid: 1000 };
  const session = await open(2, [], { rules });
  const connect = ({ secretId }) => io(url, { auth: { secretId, sessionId: session.code }, forceNew: true });
  const heard = (socket, name) => within(new Promise((done) => { socket.once(name, done); }), name);
  const sockets = session.seats.map(connect);
  await Promise.all(sockets.map((socket) => heard(socket, 'game:state')));
  const begun = heard(sockets[1], 'game:events');
  sockets[0].emit('game:start');
  await begun;
  sockets.forEach((socket) => socket.disconnect());
  for (let tries = 0; ; tries += 1) {
    const { status } = await expect(200, 'GET', `/api/sessions/${session.code}`);
    if (status === 'terminated') break;
    assert.deepEqual([status, tries < 100], ['active', true]);
    await pause(200);
  }
  const late = connect(session.seats[0]);
  const over = heard(late, 'session:terminated');
  const { events } = await heard(late, 'game:state');
  assert.match((await over).message, /inactivity/);
  assert.ok(events.some(({ type }) => type === 'PLAYER_PASSED'), 'bots have played meanwhile');
  late.disconnect();
};

module.exports = { away, everyone, lapsing };

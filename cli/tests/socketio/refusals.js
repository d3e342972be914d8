// Everything that is refused, provoked from outside: the right refusal, and
// nobody else disturbed.
'use strict';

const assert = require('node:assert/strict');
const { Player, call, closeAll, expect, gather, open, playOut, refused } = require('./client.js');

const calls = async () => {
  const create = (body) => ['POST', '/api/sessions', body];
  const order = { playerCount: 3, nickname: 'Ann' };
  for (const playerCount of [undefined, 1, 5, 2.5, '3', null, -1]) {
    await refused(400, 'INVALID_PLAYER_COUNT', ...create({ ...order, playerCount }));
  }
  for (const nickname of [undefined, '', '   ', 7, '\u0007']) {
    await refused(400, 'NICKNAME_REQUIRED', ...create({ ...order, nickname }));
  }
  await refused(400, 'NICKNAME_TOO_LONG', ...create({ ...order, nickname: 'x'.repeat(21) }));
  for (const targetScore of [0, -5, 1.5, '500', 1e9]) {
    await refused(400, 'INVALID_TARGET_SCORE', ...create({ ...order, targetScore }));
  }
  await refused(400, 'INVALID_RULES', ...create({ ...order, rules: 'poker' }));
  for (const text of ['{', '[]', '"x"']) await refused(400, 'MALFORMED', ...create(text));
  await refused(413, 'TOO_LARGE', ...create({ ...order, nickname: 'x'.repeat(17_000) }));
  await refused(400, 'INVALID_PLAYER_COUNT', 'POST', '/sessions');

  const made = await expect(201, 'POST', '/sessions', { ...order, nickname: ' x'.repeat(10), targetScore: 500 });
  assert.match(made.sessionCode, /^[a-z]+-[a-z]+-[0-9]{2}$/);
  assert.equal(made.playerIndex, 0);
  const code = made.sessionCode;
  for (const prefix of ['/sessions', '/api/sessions']) {
    for (const name of [code, code.toUpperCase(), made.sessionId]) {
      const shown = await expect(200, 'GET', `${prefix}/${name}`);
      assert.deepEqual(
        [shown.sessionId, shown.sessionCode, shown.playerCount, shown.status, shown.targetScore],
        [made.sessionId, code, 3, 'waiting', 500],
      );
      assert.deepEqual(shown.players, [{
        nickname: 'x x x x x x x x x x', playerIndex: 0, connected: false, isAI: false,
      }]);
      assert.equal(typeof shown.createdAt, 'number');
    }
  }
  await refused(404, 'NOT_FOUND', 'GET', `/v2/sessions/${code}`);
  await refused(405, 'METHOD_NOT_ALLOWED', 'PUT', `/api/sessions/${code}`);
  const nowhere = '/api/sessions/still-pilz-00';
  await refused(404, 'SESSION_NOT_FOUND', 'GET', nowhere);
  await refused(404, 'SESSION_NOT_FOUND', 'POST', `${nowhere}/join`, { nickname: 'Ben' });
  await refused(404, 'SESSION_NOT_FOUND', 'POST', `${nowhere}/reconnect`, { secretId: 'x' });
  const host = { 'x-secret-id': made.secretId };
  await refused(404, 'SESSION_NOT_FOUND', 'POST', `${nowhere}/ai`, {}, host);
  await refused(404, 'SESSION_NOT_FOUND', 'DELETE', `${nowhere}/ai/1`, undefined, host);
  await refused(404, 'SESSION_NOT_FOUND', 'GET', `${nowhere}/events/export`, undefined, host);

  const at = `/api/sessions/${code}`;
  await refused(400, 'NICKNAME_REQUIRED', 'POST', `${at}/join`);
  await refused(400, 'NICKNAME_TOO_LONG', 'POST', `${at}/join`, { nickname: 'x'.repeat(21) });
  for (const nickname of ['x x x x x x x x x x', ' X x x x x x x x x X']) {
    await refused(409, 'NICKNAME_TAKEN', 'POST', `${at}/join`, { nickname });
  }
  const ben = await expect(201, 'POST', `${at}/join`, { nickname: 'Ben' });
  await refused(409, 'NICKNAME_TAKEN', 'POST', `${at}/join`, { nickname: 'BEN' });
  assert.deepEqual([ben.playerId, ben.playerIndex, ben.team], ['p2', 1, undefined]);
  await refused(400, 'SECRET_ID_REQUIRED', 'POST', `${at}/reconnect`, {});
  await refused(401, 'INVALID_SECRET', 'POST', `${at}/reconnect`, { secretId: 'forged' });
  assert.deepEqual(await expect(200, 'POST', `${at}/reconnect`, { secretId: ben.secretId }),
    { playerId: 'p2', playerIndex: 1, lastEventSequence: 0 });

  await refused(401, 'SECRET_ID_REQUIRED', 'POST', `${at}/ai`, { difficulty: 'easy' });
  for (const secret of [ben.secretId, 'forged']) {
    await refused(403, 'NOT_HOST', 'POST', `${at}/ai`, { difficulty: 'easy' }, { 'x-secret-id': secret });
    await refused(403, 'NOT_HOST', 'DELETE', `${at}/ai/2`, undefined, { 'x-secret-id': secret });
    await refused(403, 'NOT_HOST', 'GET', `${at}/events/export`, undefined, { 'x-secret-id': secret });
  }
  await refused(400, 'INVALID_DIFFICULTY', 'POST', `${at}/ai`, { difficulty: 'godlike' }, host);
  const bot = await expect(201, 'POST', `${at}/ai`, { difficulty: 'hard' }, host);
  assert.deepEqual([bot.playerIndex, bot.aiDifficulty], [2, 'hard']);
  const [, , shown] = (await expect(200, 'GET', at)).players;
  assert.deepEqual([shown.isAI, shown.aiDifficulty, shown.nickname], [true, 'hard', bot.nickname]);
  await refused(409, 'NO_AVAILABLE_SLOTS', 'POST', `${at}/ai`, { difficulty: 'easy' }, host);
  await refused(409, 'SESSION_FULL', 'POST', `${at}/join`, { nickname: 'Dora' });
  await refused(401, 'SECRET_ID_REQUIRED', 'DELETE', `${at}/ai/2`);
  for (const seat of ['3', '-1', 'x', '999']) {
    await refused(400, 'INVALID_PLAYER_INDEX', 'DELETE', `${at}/ai/${seat}`, undefined, host);
  }
  await refused(409, 'PLAYER_NOT_AI', 'DELETE', `${at}/ai/1`, undefined, host);
  await refused(401, 'SECRET_ID_REQUIRED', 'GET', `${at}/events/export`);
  assert.equal(await expect(200, 'GET', `${at}/events/export`, undefined, host), '', 'nothing has happened yet');
  assert.equal((await expect(200, 'GET', at)).status, 'waiting');

  // The same table by the house's own calls: only the host may begin.
  const bearer = { authorization: `Bearer ${ben.secretId}` };
  await refused(403, 'NOT_HOST', 'POST', `/api/v1/tables/${code}/start`, undefined, bearer);
  const [ann] = await gather({ code, seats: [{ seat: 0, ...made }] });
  ann.emit('game:start');
  await ann.until('the game begins', ({ events }) => events.length > 0);
  await refused(409, 'GAME_STARTED', 'POST', `${at}/join`, { nickname: 'Dora' });
  await refused(409, 'CANNOT_ADD_AI_WHEN_GAME_STARTED', 'POST', `${at}/ai`, { difficulty: 'easy' }, host);
  await refused(409, 'GAME_STARTED', 'DELETE', `${at}/ai/2`, undefined, host);
  assert.equal((await expect(200, 'GET', at)).status, 'active');
  ann.close();
  const teams = await open(4);
  assert.deepEqual(teams.seats.map(({ team }) => team), [undefined, 1, 0, 1]);
};

const unwelcome = async (auth, options = {}) => {
  const player = new Player({ seat: 0, ...options, auth });
  await player.until('it is turned away', () => player.unwelcome);
  player.close();
  return player.unwelcome;
};

const connecting = async () => {
  const session = await open(2);
  const other = await open(2);
  const { secretId } = session.seats[0];
  const sessionId = session.code;
  for (const auth of [undefined, {}, { secretId }, { sessionId }, { secretId: '', sessionId }, { secretId: 7, sessionId: [] }]) {
    for (const transports of [['polling'], ['websocket']]) {
      assert.equal(await unwelcome(auth, { transports }), 'Missing authentication');
    }
  }
  const wrong = [
    { secretId: 'forged', sessionId }, { secretId, sessionId: other.code }, { secretId, sessionId: 'still-pilz-00' },
    { secretId: process.env.PARLOR_ADMIN, sessionId }, { secretId: secretId.toUpperCase(), sessionId },
  ];
  for (const auth of wrong) assert.equal(await unwelcome(auth), 'Invalid credentials');
  const page = { extraHeaders: { Origin: 'https://evil.example' } };
  assert.equal(await unwelcome({ secretId, sessionId }, page), 'Origin not allowed');
  const answer = await call('GET', '/socket.io/?EIO=3&transport=polling');
  assert.equal(answer.status, 400);
  for (const name of [session.code, session.code.toUpperCase(), session.id]) {
    const [player] = await gather({ code: name, seats: session.seats.slice(0, 1) });
    player.close();
  }
};

// Every reason of the rules, from a game that goes on to its end.
const moves = async () => {
  const session = await open(3);
  const players = await gather(session, () => ({ seed: 9 }));
  const [ann, ben, cem] = players;
  const cards = { cardIds: ['kreuz-ass-0', 'kreuz-ass-1', 'herz-10-0', 'herz-10-1'] };
  const everything = [
    ['NOT_IN_BIDDING_PHASE', 'game:bid', { amount: 150 }], ['NOT_IN_BIDDING_PHASE', 'game:pass'],
    ['NOT_IN_DABB_PHASE', 'game:takeDabb'], ['NOT_IN_DABB_PHASE', 'game:discard', cards],
    ['NOT_IN_DABB_PHASE', 'game:goOut', { suit: 'herz' }], ['NOT_IN_TRUMP_PHASE', 'game:declareTrump', { suit: 'herz' }],
    ['NOT_IN_MELDING_PHASE', 'game:declareMelds', { melds: [] }], ['NOT_IN_TRICKS_PHASE', 'game:playCard', { cardId: 'herz-10-0' }],
  ];
  const outside = async (player, ...phases) => {
    for (const [reason, ...said] of everything) {
      const code = said[0] === 'game:goOut' ? 'GOOUT_FAILED' : 'INVALID_MOVE';
      if (!phases.includes(reason)) await player.refused(code, reason, ...said);
    }
  };
  await outside(ann);
  await ann.refused('INVALID_MOVE', 'NOT_IN_ACTIVE_PHASE', 'game:exit');
  await ann.refused('SYNC_FAILED', 'POSITION_AHEAD', 'game:sync', { lastEventSequence: 4 });
  await ben.refused('INVALID_MOVE', 'NOT_HOST', 'game:start');

  const all = (what, holds) => Promise.all(players.map((player) => player.until(what, holds)));
  ann.emit('game:start');
  await all('bidding', ({ table }) => table.phase === 'bidding');
  await outside(ben, 'NOT_IN_BIDDING_PHASE');
  await ben.refused('NOT_YOUR_TURN', 'NOT_YOUR_TURN', 'game:bid', { amount: 150 });
  await ben.refused('NOT_YOUR_TURN', 'NOT_YOUR_TURN', 'game:pass');
  await ann.refused('INVALID_MOVE', 'FIRST_BIDDER_MUST_BID', 'game:pass');
  for (const amount of [0, 140, 155, -150, 1e6, 150.5]) {
    await ann.refused('INVALID_MOVE', 'INVALID_BID_AMOUNT', 'game:bid', { amount });
  }
  const malformed = [
    ['game:bid'], ['game:bid', {}], ['game:bid', null], ['game:bid', 'much'], ['game:bid', { amount: '160' }],
    ['game:bid', [[[]]]], ['game:bid', Buffer.from('binary')], ['game:discard'], ['game:discard', { cardIds: 'all' }],
    ['game:discard', { cardIds: [7] }], ['game:declareTrump', { suit: 7 }], ['game:announce', {}], ['game:declareMelds'],
    ['game:playCard', {}], ['game:fly', { to: 'the moon' }], ['toString'], [''],
  ];
  for (const said of malformed) await ann.refused('INVALID_MOVE', 'MALFORMED', ...said);
  for (const said of [['game:goOut'], ['game:goOut', { suit: 7 }]]) await ann.refused('GOOUT_FAILED', 'MALFORMED', ...said);
  ann.emit('game:bid', { amount: 160 });
  await all('a bid', ({ table }) => table.bid === 160);
  await ben.refused('INVALID_MOVE', 'INVALID_BID_AMOUNT', 'game:bid', { amount: 160 });
  ben.emit('game:pass');
  await all('a pass', ({ table }) => table.speaker === 2);
  cem.emit('game:pass');
  await all('the dabb', ({ table }) => table.phase === 'dabb');

  await outside(ann, 'NOT_IN_DABB_PHASE');
  await ben.refused('NOT_YOUR_TURN', 'ONLY_BID_WINNER', 'game:takeDabb');
  await ann.refused('INVALID_MOVE', 'MUST_TAKE_DABB_FIRST', 'game:discard', { cardIds: ann.table.hand.slice(0, 4) });
  await ann.refused('GOOUT_FAILED', 'MUST_TAKE_DABB_FIRST', 'game:goOut', { suit: 'herz' });
  ann.emit('game:takeDabb');
  await all('it is taken', ({ table }) => table.hasDabb);
  await ann.refused('INVALID_MOVE', 'DABB_ALREADY_TAKEN', 'game:takeDabb');
  await ben.refused('NOT_YOUR_TURN', 'ONLY_BID_WINNER', 'game:discard', { cardIds: ben.table.hand.slice(0, 4) });
  await ben.refused('GOOUT_FAILED', 'ONLY_BID_WINNER', 'game:goOut', { suit: 'herz' });
  await ann.refused('GOOUT_FAILED', 'INVALID_SUIT', 'game:goOut', { suit: 'hearts' });
  const { hand } = ann.table;
  const foreign = ben.table.hand[0];
  await ann.refused('INVALID_MOVE', 'MUST_DISCARD_EXACT_COUNT', 'game:discard', { cardIds: hand.slice(0, 3) });
  await ann.refused('INVALID_MOVE', 'CARD_NOT_IN_HAND', 'game:discard', { cardIds: [foreign, ...hand.slice(0, 3)] });
  await ann.refused('INVALID_MOVE', 'CARD_NOT_IN_HAND', 'game:discard', { cardIds: ['joker', ...hand.slice(0, 3)] });
  await ann.refused('INVALID_MOVE', 'DUPLICATE_CARD', 'game:discard', { cardIds: [hand[0], ...hand.slice(0, 3)] });
  ann.emit('game:discard', { cardIds: hand.slice(0, 4) });
  await all('trump', ({ table }) => table.phase === 'trump');

  await outside(ann, 'NOT_IN_TRUMP_PHASE');
  await ben.refused('NOT_YOUR_TURN', 'ONLY_BID_WINNER', 'game:declareTrump', { suit: 'herz' });
  await ann.refused('INVALID_MOVE', 'INVALID_SUIT', 'game:declareTrump', { suit: 'spades' });
  await ben.refused('NOT_YOUR_TURN', 'ONLY_BID_WINNER', 'game:announce', { special: 'durch' });
  await ann.refused('INVALID_MOVE', 'SPECIAL_NOT_PLAYED', 'game:announce', { special: 'durch' });
  await ann.refused('INVALID_MOVE', 'INVALID_SPECIAL', 'game:announce', { special: 'ramsch' });
  ann.emit('game:declareTrump', { suit: ann.table.longest() });
  await all('melding', ({ table }) => table.phase === 'melding');
  await outside(cem, 'NOT_IN_MELDING_PHASE');
  const fake = { melds: [{ type: 'ACHT-ASS', cards: ['kreuz-ass-0'], points: 1000 }] };
  ann.emit('game:declareMelds', fake);
  await all('Ann melds', ({ table }) => 0 in table.melds);
  await ann.refused('INVALID_MOVE', 'ALREADY_DECLARED_MELDS', 'game:declareMelds', fake);
  [ben, cem].forEach((player) => player.emit('game:declareMelds', { melds: [] }));
  await all('tricks', ({ table }) => table.phase === 'tricks');

  await outside(ann, 'NOT_IN_TRICKS_PHASE');
  await ben.refused('NOT_YOUR_TURN', 'NOT_YOUR_TURN', 'game:playCard', { cardId: ben.table.hand[0] });
  await ann.refused('INVALID_MOVE', 'CARD_NOT_IN_HAND', 'game:playCard', { cardId: foreign });
  await ann.refused('INVALID_MOVE', 'CARD_NOT_IN_HAND', 'game:playCard', { cardId: 'joker' });
  // The same card twice in one breath: the first counts.
  const [played] = ann.table.hand;
  const errors = ann.heard.error.length;
  ann.emit('game:playCard', { cardId: played }).emit('game:playCard', { cardId: played });
  await ann.until('once is enough', ({ heard }) => heard.error.length === errors + 1);
  assert.equal(ann.heard.error.at(-1).code, 'NOT_YOUR_TURN');
  await all('a card', ({ table }) => table.trick.length === 1);
  assert.deepEqual(ann.events.filter(({ type }) => type === 'CARD_PLAYED').length, 1);
  await provokeInvalidPlay(players);
  players.forEach(({ heard }) => heard.error.splice(0));
  await playOut(session, players);
  await outside(ben);
  await ben.refused('INVALID_MOVE', 'NOT_IN_ACTIVE_PHASE', 'game:exit');
  closeAll(players);
};

// Plays on until someone holds a card the rules forbid, and tries it.
const provokeInvalidPlay = async (players) => {
  for (;;) {
    const { turn, sequence } = players[0].table;
    const player = players[turn];
    await player.until('it is their turn', ({ table }) => table.sequence === sequence);
    const legal = player.table.legal().map(({ id }) => id);
    const forbidden = player.table.hand.find((id) => !legal.includes(id));
    if (forbidden) {
      await player.refused('INVALID_MOVE', 'INVALID_PLAY', 'game:playCard', { cardId: forbidden });
      return;
    }
    assert.ok(players[0].table.phase === 'tricks', 'such a card comes up in any round');
    player.emit('game:playCard', { cardId: legal[0] });
    await Promise.all(players.map((one) => one.until('it is played', ({ table }) => table.sequence > sequence)));
  }
};

module.exports = { calls, connecting, moves };

// A client that knows the contract's text and nothing else: bids go around the
// table, who wins the bidding leads, and every seat follows the one before it.
// It does not know which cards the rules forbid; it tries until one is taken.
'use strict';

const assert = require('node:assert/strict');
const { io } = require('socket.io-client');
const { expect, url, within } = require('./client.js');

const SUITS = ['kreuz', 'schippe', 'herz', 'bollen'];
const CODES = ['SYNC_FAILED', 'INVALID_MOVE', 'NOT_YOUR_TURN', 'GOOUT_FAILED'];

class Browser {
  constructor(seat, count, { secretId, sessionId }) {
    Object.assign(this, { seat, count, hand: [], tries: [], declared: 0, rounds: 0 });
    this.finished = new Promise((done, fail) => { Object.assign(this, { done, fail }); });
    this.socket = io(url, { auth: { secretId, sessionId }, forceNew: true });
    this.ready = new Promise((done) => { this.socket.once('game:state', done); });
    const told = ({ events }) => this.guard(() => events.forEach((event) => this.apply(event)));
    this.socket.on('game:state', told);
    this.socket.on('game:events', told);
    this.socket.on('error', (error) => this.guard(() => this.refused(error)));
  }

  guard(act) {
    try { act(); } catch (error) { this.fail(error); }
  }

  next(seat) {
    return (seat + 1) % this.count;
  }

  // The next seat after this one that has not passed.
  nextBidder(seat) {
    let bidder = this.next(seat);
    while (this.passed.has(bidder)) bidder = this.next(bidder);
    return bidder;
  }

  apply({ type, payload }) {
    const mine = payload.playerIndex === this.seat;
    switch (type) {
      case 'GAME_STARTED':
      case 'NEW_ROUND_STARTED':
        this.dealer = payload.dealer;
        break;
      case 'CARDS_DEALT':
        this.hand = payload.hands[this.seat].map(({ id }) => id);
        Object.assign(this, { passed: new Set(), bid: 140, bidder: this.next(this.dealer), trick: 0 });
        this.mayBid();
        break;
      case 'BID_PLACED':
        assert.equal(payload.playerIndex, this.bidder, 'bids go around the table');
        this.bid = payload.amount;
        this.bidder = this.nextBidder(this.bidder);
        this.mayBid();
        break;
      case 'PLAYER_PASSED':
        assert.equal(payload.playerIndex, this.bidder, 'bids go around the table');
        this.passed.add(this.bidder);
        this.bidder = this.passed.size < this.count - 1 ? this.nextBidder(this.bidder) : null;
        this.mayBid();
        break;
      case 'BIDDING_WON':
        this.winner = payload.playerIndex;
        if (mine) this.socket.emit('game:takeDabb');
        break;
      case 'DABB_TAKEN':
        assert.equal(payload.dabbCards.length, 4);
        if (!mine) break;
        this.hand.push(...payload.dabbCards.map(({ id }) => id));
        this.socket.emit('game:discard', { cardIds: this.hand.slice(0, payload.dabbCards.length) });
        break;
      case 'CARDS_DISCARDED':
        if (!mine) break;
        this.hand = this.hand.filter((id) => !payload.discardedCards.includes(id));
        this.declared += 1;
        this.socket.emit('game:declareTrump', { suit: SUITS[this.declared % SUITS.length] });
        break;
      case 'TRUMP_DECLARED':
        this.socket.emit('game:declareMelds', { melds: [{ type: 'PAAR', cards: [], points: 20 }] });
        break;
      case 'MELDING_COMPLETE':
        this.mayPlay(this.winner);
        break;
      case 'CARD_PLAYED':
        assert.equal(payload.playerIndex, this.turn, 'cards go around the table');
        if (mine) this.hand = this.hand.filter((id) => id !== payload.card.id);
        this.trick += 1;
        if (this.trick < this.count) this.mayPlay(this.next(this.turn));
        break;
      case 'TRICK_WON':
        this.trick = 0;
        if (this.hand.length > 0) this.mayPlay(payload.winnerIndex);
        break;
      case 'ROUND_SCORED':
        this.rounds += 1;
        break;
      case 'GAME_FINISHED':
        this.done(payload);
        break;
      default:
        assert.ok(['PLAYER_JOINED', 'MELDS_DECLARED'].includes(type), type);
    }
  }

  mayBid() {
    if (this.bidder !== this.seat) return;
    const first = this.passed.size === 0 && this.bid === 140;
    const raises = this.bid < 170 && (this.rounds + this.seat) % 2 === 0;
    if (first || raises) this.socket.emit('game:bid', { amount: this.bid + 10 });
    else this.socket.emit('game:pass');
  }

  mayPlay(seat) {
    this.turn = seat;
    if (seat !== this.seat) return;
    this.tries = [...this.hand];
    this.tryCard();
  }

  tryCard() {
    this.socket.emit('game:playCard', { cardId: this.tries.shift() });
  }

  // A card the rules forbid: another one.
  refused({ code, message }) {
    assert.ok(CODES.includes(code), code);
    assert.ok(code === 'INVALID_MOVE' && this.turn === this.seat && this.tries.length > 0, `${code}: ${message}`);
    this.tryCard();
  }
}

const game = async (count) => {
  const order = { playerCount: count, nickname: 'Ann', targetScore: 200, rules: 'web' };
  const made = await expect(201, 'POST', '/sessions', order);
  const seats = [made];
  for (const nickname of ['Ben', 'Cem', 'Dora'].slice(0, count - 1)) {
    seats.push(await expect(201, 'POST', `/sessions/${made.sessionCode}/join`, { nickname }));
  }
  const browsers = seats.map(({ secretId }, seat) =>
    new Browser(seat, count, { secretId, sessionId: made.sessionCode }));
  await Promise.all(browsers.map(({ ready }) => ready));
  browsers[0].socket.emit('game:start');
  const endings = await within(Promise.all(browsers.map(({ finished }) => finished)), `a game of ${count}`);
  endings.forEach((ending) => assert.deepEqual(ending, endings[0]));
  assert.ok(browsers.some(({ declared }) => declared > 0));
  browsers.forEach(({ socket }) => socket.disconnect());
};

const games = async () => {
  for (const count of [2, 3, 4]) await game(count);
};

module.exports = { games };

// A client's own idea of the table: nothing but a fold of events, and rules
// enough to play and to keep score. What the server says is held against it.
'use strict';

const assert = require('node:assert/strict');

const SUITS = ['kreuz', 'schippe', 'herz', 'bollen'];
const RANKS = ['buabe', 'ober', 'koenig', '10', 'ass'];
const WORTH = { durch: 1000, bettel: 500 };
const POINTS = { buabe: 2, ober: 3, koenig: 4, 10: 10, ass: 11 };

const card = (id) => {
  const [suit, rank] = id.split('-');
  return { id, suit, height: RANKS.indexOf(rank), points: POINTS[rank] };
};

class Table {
  constructor(seat) {
    this.seat = seat;
    this.sequence = 0;
    this.phase = 'waiting';
    this.totals = {};
    this.players = [];
    this.rounds = 0;
  }

  get count() {
    return this.players.length;
  }

  side(seat) {
    return this.count === 4 ? seat % 2 : seat;
  }

  next(seat) {
    return (seat + 1) % this.count;
  }

  fold(event) {
    assert.equal(event.sequence, this.sequence + 1, 'events are dense and come once');
    this.sequence = event.sequence;
    this[event.type](event.payload);
  }

  PLAYER_JOINED({ playerIndex, nickname, team }) {
    assert.equal(playerIndex, this.players.length);
    this.players.push(nickname);
    this.team = team;
  }

  GAME_STARTED({ playerCount, targetScore, dealer, rules }) {
    assert.equal(playerCount, this.count);
    assert.equal(this.team, playerCount === 4 ? 1 : undefined);
    Object.assign(this, { target: targetScore, dealer, rules });
    for (let seat = 0; seat < this.count; seat += 1) this.totals[this.side(seat)] = 0;
  }

  CARDS_DEALT({ hands, dabb }) {
    const zeros = Array(this.count).fill(0);
    Object.assign(this, {
      phase: 'bidding', bid: null, trump: null, special: null, declarer: null, goingOut: false,
      hand: hands[this.seat].map((dealt) => dealt.id), dabbSize: dabb.length,
      melds: {}, trick: [], taken: [...zeros], tricks: [...zeros],
    });
    for (const [seat, cards] of Object.entries(hands)) {
      assert.equal(cards.every(({ id }) => id.startsWith('hidden')), Number(seat) !== this.seat);
      assert.equal(cards.length, this.hand.length);
    }
    // The opener against the next seat; the survivor against the one after.
    this.speaker = this.next(this.dealer);
    this.rival = this.next(this.speaker);
    this.unheard = this.count - 2;
  }

  BID_PLACED({ playerIndex, amount }) {
    assert.equal(playerIndex, this.speaker);
    assert.ok(amount % 10 === 0 && amount >= (this.bid ?? 140) + 10);
    Object.assign(this, { bid: amount, speaker: this.rival, rival: playerIndex });
  }

  PLAYER_PASSED({ playerIndex }) {
    assert.equal(playerIndex, this.speaker);
    const challenger = this.next(Math.max(this.order(playerIndex), this.order(this.rival)));
    this.speaker = this.unheard > 0 ? this.seatAt(challenger) : null;
    this.unheard -= 1;
  }

  // How many places after the dealer a seat is, and back.
  order(seat) {
    return (seat - this.next(this.dealer) + this.count) % this.count;
  }

  seatAt(order) {
    return (order + this.next(this.dealer)) % this.count;
  }

  BIDDING_WON({ playerIndex, winningBid, dabb }) {
    assert.equal(playerIndex, this.rival);
    assert.equal(winningBid, this.bid);
    assert.equal(dabb !== undefined, playerIndex === this.seat, 'the dabb is for its taker');
    Object.assign(this, { phase: 'dabb', declarer: playerIndex, hasDabb: false });
  }

  DABB_TAKEN({ playerIndex, dabbCards }) {
    assert.equal(playerIndex, this.declarer);
    assert.equal(dabbCards.length, this.dabbSize);
    this.hasDabb = true;
    if (playerIndex === this.seat) this.hand.push(...dabbCards.map(({ id }) => id));
  }

  CARDS_DISCARDED({ playerIndex, discardedCards }) {
    assert.equal(discardedCards.length, this.dabbSize);
    this.phase = 'trump';
    if (playerIndex === this.seat) this.lose(discardedCards);
    else assert.ok(discardedCards.every((id) => id === 'hidden'));
  }

  lose(cards) {
    for (const id of cards) {
      assert.ok(this.hand.includes(id), `${id} was in hand`);
      this.hand.splice(this.hand.indexOf(id), 1);
    }
  }

  GOING_OUT({ suit }) {
    Object.assign(this, { phase: 'melding', trump: suit, goingOut: true });
  }

  TRUMP_DECLARED({ suit }) {
    Object.assign(this, { phase: 'melding', trump: suit });
  }

  SPECIAL_ANNOUNCED({ playerIndex, special }) {
    assert.equal(playerIndex, this.declarer);
    assert.ok(this.rules[special] && WORTH[special] >= this.bid);
    Object.assign(this, { phase: 'melding', special });
  }

  MELDS_DECLARED({ playerIndex, melds, totalPoints }) {
    assert.equal(this.melds[playerIndex], undefined, 'everyone melds once');
    assert.equal(melds.reduce((sum, { points }) => sum + points, 0), totalPoints);
    this.melds[playerIndex] = totalPoints;
  }

  MELDING_COMPLETE({ meldScores }) {
    for (const [seat, points] of Object.entries(this.melds)) assert.equal(meldScores[seat], points);
    this.phase = 'tricks';
    this.turn = this.special ? this.declarer : this.next(this.dealer);
  }

  CARD_PLAYED({ playerIndex, card: { id } }) {
    assert.equal(playerIndex, this.turn);
    if (playerIndex === this.seat) this.lose([id]);
    this.trick.push({ seat: playerIndex, ...card(id) });
    this.turn = this.next(playerIndex);
  }

  TRICK_WON({ winnerIndex, cards, points }) {
    assert.deepEqual(cards.map(({ id }) => id), this.trick.map(({ id }) => id));
    assert.equal(winnerIndex, this.best().seat);
    const last = this.hand.length === 0 ? 10 : 0;
    assert.equal(points, this.trick.reduce((sum, played) => sum + played.points, last));
    this.taken[winnerIndex] += points;
    this.tricks[winnerIndex] += 1;
    Object.assign(this, { trick: [], turn: winnerIndex });
  }

  best() {
    const worth = ({ suit, height }) =>
      suit === this.trump ? 100 + height : suit === this.trick[0].suit ? height : -1;
    return this.trick.reduce((best, played) => (worth(played) > worth(best) ? played : best));
  }

  ROUND_SCORED({ scores, totalScores }) {
    const sum = (of, side) =>
      [...Array(this.count).keys()].filter((seat) => this.side(seat) === side)
        .reduce((total, seat) => total + (of[seat] ?? 0), 0);
    const laidAway = 250 - this.taken.reduce((total, points) => total + points, 0);
    for (const side of Object.keys(this.totals).map(Number)) {
      const declares = this.side(this.declarer) === side;
      let total;
      if (this.special) {
        total = declares ? (this.isLost() ? -1 : 1) * WORTH[this.special] : 0;
      } else if (this.goingOut) {
        total = declares ? -this.bid : sum(this.melds, side) + 30;
      } else {
        const melds = sum(this.tricks, side) > 0 ? sum(this.melds, side) : 0;
        const points = sum(this.taken, side) + (declares ? laidAway : 0);
        total = melds + Math.floor((points + 5) / 10) * 10;
        if (declares && total < this.bid) total = -2 * this.bid;
      }
      this.totals[side] += total;
      assert.equal(scores[side].total, total, `side ${side} of round ${this.rounds + 1}`);
    }
    this.rounds += 1;
    assert.deepEqual(totalScores, this.byKey());
  }

  // Whether a trick went where it loses the announced game.
  isLost() {
    const loses = (seat) =>
      this.special === 'bettel' ? seat === this.declarer : this.side(seat) !== this.side(this.declarer);
    return this.tricks.some((tricks, seat) => tricks > 0 && loses(seat));
  }

  // What is announced in place of trump: where the house plays them, one after the other.
  wanted() {
    const special = ['durch', 'bettel'][this.rounds];
    return special && this.rules[special] ? special : null;
  }

  byKey() {
    return Object.fromEntries(Object.entries(this.totals).map(([side, n]) => [String(side), n]));
  }

  NEW_ROUND_STARTED({ round, dealer }) {
    assert.equal(round, this.rounds + 1);
    assert.equal(dealer, this.next(this.dealer));
    this.dealer = dealer;
  }

  GAME_FINISHED({ winner, finalScores }) {
    this.phase = 'finished';
    assert.deepEqual(finalScores, this.byKey());
    assert.equal(this.totals[winner], Math.max(...Object.values(this.totals)));
    assert.ok(this.totals[winner] >= this.target);
  }

  GAME_TERMINATED({ terminatedBy, reason }) {
    Object.assign(this, { phase: 'terminated', terminatedBy, reason });
  }

  // What may be played: follow and beat, else trump and beat, else anything.
  legal() {
    const hand = this.hand.map(card);
    if (this.trick.length === 0) return hand;
    const beaten = (cards, suit) => {
      const highest = Math.max(-1, ...this.trick.filter((p) => p.suit === suit).map((p) => p.height));
      const higher = cards.filter(({ height }) => height > highest);
      return higher.length > 0 ? higher : cards;
    };
    const holder = this.best().seat;
    const exempt = this.count === 4 && this.side(holder) === this.side(this.seat);
    const following = hand.filter(({ suit }) => suit === this.trick[0].suit);
    if (following.length > 0) return exempt ? following : beaten(following, this.trick[0].suit);
    const trumps = hand.filter(({ suit }) => suit === this.trump);
    return exempt || trumps.length === 0 ? hand : beaten(trumps, this.trump);
  }

  // What this seat does next, or nothing: an event and its data.
  move(chance) {
    const mine = this.declarer === this.seat;
    switch (this.phase) {
      case 'bidding': {
        if (this.speaker !== this.seat) return null;
        if (this.bid === null) return ['game:bid', { amount: 150 }];
        const raise = this.bid < 300 && chance() < 0.4;
        return raise ? ['game:bid', { amount: this.bid + 10 }] : ['game:pass'];
      }
      case 'dabb':
        if (!mine) return null;
        if (!this.hasDabb) return ['game:takeDabb'];
        if (!this.wanted() && chance() < 0.1) return ['game:goOut', { suit: this.longest() }];
        return ['game:discard', { cardIds: this.hand.slice(0, this.dabbSize) }];
      case 'trump':
        if (mine && this.wanted()) return ['game:announce', { special: this.wanted() }];
        return mine ? ['game:declareTrump', { suit: this.longest() }] : null;
      case 'melding': {
        // Who goes out has nothing to meld.
        const out = this.goingOut && mine;
        return out || this.seat in this.melds ? null : ['game:declareMelds', { melds: [] }];
      }
      case 'tricks': {
        if (this.turn !== this.seat) return null;
        const legal = this.legal();
        return ['game:playCard', { cardId: legal[Math.floor(chance() * legal.length)].id }];
      }
      default:
        return null;
    }
  }

  longest() {
    const length = (suit) => this.hand.filter((id) => id.startsWith(suit)).length;
    return SUITS.reduce((best, suit) => (length(suit) > length(best) ? suit : best));
  }
}

module.exports = { Table };

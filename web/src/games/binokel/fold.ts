// What a viewer knows, folded from the dialect's events.

import type { Event, RoundScored, SideScore } from '../../wire/binokel.events';
import { speaksNext, type Auction } from './auction';
import { seen, sorted, type CardId } from './cards';
import {
  after,
  count,
  declarer,
  each,
  holding,
  newcomer,
  of,
  partedWith,
  shown,
  sides,
  type Entry,
  type Game,
  type Player,
} from './game';
import { restored } from './snapshot';

/** A card is looked at before the next one follows, a trick and melds a little longer. */
export function beat(message: Event): number {
  switch (message.type) {
    case 'TRICK_WON':
    case 'MELDS_DECLARED':
      return 1100;
    case 'CARD_PLAYED':
    case 'BID_PLACED':
    case 'PLAYER_PASSED':
      return 450;
    case 'BIDDING_WON':
    case 'DABB_TAKEN':
    case 'TRUMP_DECLARED':
    case 'SPECIAL_ANNOUNCED':
    case 'GOING_OUT':
      return 600;
    default:
      return 0;
  }
}

export function fold(game: Game, message: Event): Game {
  if (message.type === 'SNAPSHOT') return restored(message);
  const next = told(game, message);
  if (!next) return game;
  const people = next.players.filter((player) => !player.isBot).length;
  const seconds = people > 1 && next.awaits.length > 0 ? (next.rules?.turn_seconds ?? 0) : 0;
  const deadline = seconds > 0 && 'timestamp' in message ? message.timestamp + seconds * 1000 : null;
  return { ...next, deadline };
}

function told(game: Game, message: Exclude<Event, { type: 'SNAPSHOT' }>): Game | null {
  switch (message.type) {
    case 'PLAYER_JOINED': {
      const { playerIndex, nickname, isAI } = message.payload;
      const players = [...game.players];
      players[playerIndex] = newcomer(nickname, isAI);
      return { ...game, players };
    }
    case 'GAME_STARTED': {
      const totals = sides(game).map(() => 0);
      return startRound({ ...game, rules: message.payload.rules, totals }, 1, message.payload.dealer);
    }
    case 'NEW_ROUND_STARTED':
      return startRound(game, message.payload.round, message.payload.dealer);
    case 'CARDS_DEALT': {
      const players = game.players.map((player, seat) => ({ ...player, hand: holding(message.payload.hands[seat] ?? []) }));
      return { ...game, players, dabb: message.payload.dabb.map(seen) };
    }
    case 'BID_PLACED': {
      const { playerIndex: seat, amount } = message.payload;
      return spoken(alter(game, seat, { call: amount }), seat, { ...game.auction, highest: { seat, amount } });
    }
    case 'PLAYER_PASSED': {
      const seat = message.payload.playerIndex;
      return spoken(alter(game, seat, { call: 'pass' }), seat, { ...game.auction, passed: [...game.auction.passed, seat].sort() });
    }
    case 'BIDDING_WON': {
      const { playerIndex: seat, winningBid: amount, dabb } = message.payload;
      const auction = { ...game.auction, highest: { seat, amount } };
      return { ...game, auction, phase: 'takingDabb', awaits: [seat], dabb: dabb ? dabb.map(seen) : game.dabb };
    }
    case 'DABB_TAKEN': {
      const { playerIndex: seat, dabbCards } = message.payload;
      const more = holding(dabbCards);
      const { hand } = of(game, seat);
      const next = alter(game, seat, { hand: { known: sorted([...hand.known, ...more.known]), hidden: hand.hidden + more.hidden } });
      const phase = game.rules?.trump_first ? 'namingTrump' : 'layingAway';
      return { ...next, phase, dabb: [], tookUp: more.known, moved: more.known };
    }
    case 'CARDS_DISCARDED': {
      const seat = message.payload.playerIndex;
      const laidAway = message.payload.discardedCards.map(seen);
      const next = { ...alter(game, seat, { hand: partedWith(of(game, seat).hand, laidAway) }), laidAway, moved: [] };
      return game.rules?.trump_first ? melding(next) : { ...next, phase: 'namingTrump' };
    }
    case 'TRUMP_DECLARED': {
      const next = { ...game, trump: message.payload.suit, moved: [] };
      return game.rules?.trump_first ? { ...next, phase: 'layingAway' } : melding(next);
    }
    case 'SPECIAL_ANNOUNCED': {
      const next = { ...game, special: message.payload.special, moved: [] };
      return game.rules?.trump_first ? { ...next, phase: 'layingAway' } : melding(next);
    }
    case 'GOING_OUT':
      return melding({ ...game, trump: message.payload.suit, isGoingOut: true, moved: [] });
    case 'MELDS_DECLARED': {
      const { playerIndex: seat, melds, totalPoints } = message.payload;
      const cards = [...new Set(melds.flatMap((meld) => meld.cards))];
      const hand = shown(of(game, seat).hand, cards);
      const next = alter(game, seat, { hand, melded: { melds, points: totalPoints } });
      return { ...next, awaits: game.awaits.filter((other) => other !== seat), moved: cards };
    }
    case 'MELDING_COMPLETE': {
      if (game.isGoingOut) return { ...game, awaits: [] };
      const declares = game.special !== null || game.rules?.first_lead === 'declarer';
      const leader = declares ? (declarer(game) ?? 0) : after(game, game.dealer);
      return { ...game, phase: 'tricks', awaits: [leader], trick: { leader, cards: [] }, lastTrick: null, tookUp: [], moved: [] };
    }
    case 'CARD_PLAYED': {
      const seat = message.payload.playerIndex;
      const card = message.payload.card.id as CardId;
      const next = alter(game, seat, { hand: partedWith(of(game, seat).hand, [card]) });
      const cards = [...game.trick.cards, { seat, card }];
      const isFull = cards.length === game.players.length;
      return { ...next, trick: { ...game.trick, cards }, awaits: isFull ? [] : [after(game, seat)], moved: [card] };
    }
    case 'TRICK_WON': {
      const { winnerIndex: winner, points } = message.payload;
      const { tricks, taken, hand } = of(game, winner);
      const next = alter(game, winner, { tricks: tricks + 1, taken: taken + points });
      const awaits = count(hand) > 0 ? [winner] : [];
      return { ...next, awaits, lastTrick: { ...game.trick, winner, points }, trick: { leader: winner, cards: [] }, moved: [] };
    }
    case 'ROUND_SCORED':
      return scored(game, message.payload);
    case 'GAME_FINISHED':
      return { ...game, phase: 'finished', awaits: [], totals: each(message.payload.finalScores), finished: message.payload };
    case 'GAME_TERMINATED':
      return { ...game, phase: 'terminated', awaits: [], terminated: message.payload };
    case 'error':
    case 'player:joined':
    case 'player:left':
    case 'player:reconnected':
    case 'player:substituted':
      return null;
  }
}

function alter(game: Game, seat: number, change: Partial<Player>): Game {
  return { ...game, players: game.players.map((player, at) => (at === seat ? { ...player, ...change } : player)) };
}

/** The table is cleared; the last trick and the sheet stay to be looked at. */
function startRound(game: Game, round: number, dealer: number): Game {
  const opener = after(game, dealer);
  return {
    ...game,
    players: game.players.map((player) => newcomer(player.name, player.isBot)),
    round,
    dealer,
    phase: 'bidding',
    awaits: [opener],
    auction: { opener, highest: null, passed: [] },
    tookUp: [],
    laidAway: [],
    trump: null,
    special: null,
    isGoingOut: false,
    trick: { leader: opener, cards: [] },
    moved: [],
  };
}

function spoken(game: Game, seat: number, auction: Auction): Game {
  const order = game.rules?.bidding ?? 'duel';
  const next = speaksNext(game.auction, auction, seat, game.players.length, order);
  return { ...game, auction, awaits: next === null ? [] : [next], moved: [] };
}

/** Everyone melds; but when the declarer goes out, only the others, and in an announced game nobody. */
function melding(game: Game): Game {
  const out = game.isGoingOut ? game.auction.highest?.seat : null;
  const awaits = game.players.map((_, seat) => seat).filter((seat) => seat !== out && game.special === null);
  return { ...game, phase: 'melding', awaits };
}

function scored(game: Game, { scores, totalScores }: RoundScored): Game {
  const sum = (seats: number[], value: (player: Player) => number) => seats.reduce((all, seat) => all + value(of(game, seat)), 0);
  const isVoid = (seats: number[]) => sum(seats, (player) => player.tricks) === 0 && sum(seats, (player) => player.melded?.points ?? 0) > 0;
  const entry: Entry = {
    round: game.round,
    declarer: declarer(game),
    bid: game.auction.highest?.amount ?? 0,
    wentOut: game.isGoingOut,
    special: game.special,
    voids: sides(game).map((seats) => !game.isGoingOut && isVoid(seats)),
    scores: each<SideScore>(scores),
    totals: each(totalScores),
  };
  return { ...game, phase: 'scored', awaits: [], sheet: [...game.sheet, entry], totals: entry.totals };
}

// What a hand is worth and what it is called. The house names hands in English
// only; here they are named in the player's language, from the cards.

import type { Card, Variant } from '../../wire/stud.events';
import type { Words } from '../../words/index.svelte';

type Kind = 'highCard' | 'pair' | 'twoPair' | 'trips' | 'straight' | 'flush' | 'fullHouse' | 'quads' | 'straightFlush' | 'royalFlush';

export interface Hand {
  kind: Kind;
  /** What decides between hands of a kind: ranks, the most of one first, then the highest. */
  ranks: number[];
  /** The cards that make it. */
  cards: Card[];
}

const ORDER: readonly Kind[] = ['highCard', 'pair', 'twoPair', 'trips', 'straight', 'flush', 'fullHouse', 'quads', 'straightFlush', 'royalFlush'];
const RANKS = '23456789TJQKA';
const ACE = 14;

export const rankOf = (card: Card): number => RANKS.indexOf(card[0] ?? '') + 2;
/** rules: in razz and for a low the ace is one. */
const lowRankOf = (card: Card): number => (rankOf(card) === ACE ? 1 : rankOf(card));

interface Group {
  rank: number;
  count: number;
}

function groupsOf(cards: Card[], rank: (card: Card) => number): Group[] {
  const counts = new Map<number, number>();
  for (const card of cards) counts.set(rank(card), (counts.get(rank(card)) ?? 0) + 1);
  const groups = [...counts].map(([of, count]) => ({ rank: of, count }));
  return groups.sort((one, other) => other.count - one.count || other.rank - one.rank);
}

function grouped(groups: Group[]): Kind {
  const [first, second] = groups.map(({ count }) => count);
  if (first === 4) return 'quads';
  if (first === 3) return second === 2 ? 'fullHouse' : 'trips';
  if (first === 2) return second === 2 ? 'twoPair' : 'pair';
  return 'highCard';
}

function straightTo(ranks: number[]): number | null {
  const [top = 0, second = 0] = ranks;
  if (ranks.length !== 5) return null;
  if (top === ACE && second === 5) return 5;
  return top - (ranks[4] ?? 0) === 4 ? top : null;
}

/** At most five cards, as a high hand. */
function highOf(cards: Card[]): Hand {
  const groups = groupsOf(cards, rankOf);
  const ranks = groups.map(({ rank }) => rank);
  const isFlush = cards.length === 5 && cards.every((card) => card[1] === cards[0]?.[1]);
  const top = straightTo(ranks);
  if (top === null) return { kind: isFlush ? 'flush' : grouped(groups), ranks, cards };
  if (!isFlush) return { kind: 'straight', ranks: [top], cards };
  return { kind: top === ACE ? 'royalFlush' : 'straightFlush', ranks: [top], cards };
}

/** rules: ace to five, straights and flushes do not count. */
function lowOf(cards: Card[]): Hand {
  const groups = groupsOf(cards, lowRankOf);
  return { kind: grouped(groups), ranks: groups.map(({ rank }) => rank), cards };
}

function compare(one: Hand, other: Hand): number {
  const kinds = ORDER.indexOf(one.kind) - ORDER.indexOf(other.kind);
  if (kinds !== 0) return kinds;
  const at = one.ranks.findIndex((rank, nth) => rank !== other.ranks[nth]);
  return at < 0 ? 0 : (one.ranks[at] ?? 0) - (other.ranks[at] ?? 0);
}

function fives(cards: Card[]): Card[][] {
  if (cards.length <= 5) return [cards];
  return cards.flatMap((_, nth) => fives(cards.toSpliced(nth, 1)));
}

const best = (hands: Hand[], isBetter: (one: Hand, than: Hand) => boolean): Hand =>
  hands.reduce((found, hand) => (isBetter(hand, found) ? hand : found));

/** The best high hand of up to seven cards. */
export const high = (cards: Card[]): Hand => best(fives(cards).map(highOf), (one, than) => compare(one, than) > 0);

/** The best low of up to seven cards. */
export const low = (cards: Card[]): Hand => best(fives(cards).map(lowOf), (one, than) => compare(one, than) < 0);

/** rules: five different ranks, none above eight. */
export function eightOrBetter(cards: Card[]): Hand | null {
  const hand = low(cards);
  return hand.cards.length === 5 && hand.kind === 'highCard' && (hand.ranks[0] ?? 9) <= 8 ? hand : null;
}

const one = (rank: number, t: Words) => t(`rank${rank === 1 ? ACE : rank}`);
const many = (rank: number, t: Words) => t(`ranks${rank === 1 ? ACE : rank}`);
const index = (rank: number) => (rank === 1 ? 'A' : rank === 10 ? '10' : (RANKS[rank - 2] ?? ''));

/** A hand's short name: two pair. */
export const kindOf = (hand: Hand, t: Words): string => t(`kind-${hand.kind}`);

/** A high hand's full name: two pair, kings and fours, ace kicker. */
export function named(hand: Hand, t: Words): string {
  const [first = 0, second = 0, third] = hand.ranks;
  const pairs = hand.kind === 'twoPair';
  const kickers = hand.ranks.slice(pairs ? 2 : hand.kind === 'highCard' || hand.kind === 'flush' ? 0 : 1);
  const values = {
    one: one(first, t),
    many: many(first, t),
    second: many(second, t),
    kicker: pairs ? (third ? one(third, t) : '') : one(second, t),
    kickers: kickers.map((rank) => one(rank, t)).join('-'),
  };
  // Before fifth street nobody speaks of kickers.
  const isBare = hand.cards.length < 5 && hand.kind !== 'highCard';
  return t(isBare ? `bare-${hand.kind}` : `hand-${hand.kind}`, values);
}

/** A low's name: 8-6-4-3-2 low; what has pairs is named as such. */
export function namedLow(hand: Hand, t: Words): string {
  return hand.kind === 'highCard' ? t('hand-low', { ranks: hand.ranks.map(index).join('-') }) : named(hand, t);
}

export interface Called {
  high: Hand | null;
  low: Hand | null;
}

/** What counts in a variant. */
export function called(cards: Card[], variant: Variant): Called {
  return {
    high: variant === 'razz' ? null : high(cards),
    low: variant === 'razz' ? low(cards) : variant === 'stud8' ? eightOrBetter(cards) : null,
  };
}

/** A hand in words, as far as it counts: high, low, or both. */
export function inWords(cards: Card[], variant: Variant, t: Words): string {
  const hand = called(cards, variant);
  const both = [hand.high && named(hand.high, t), hand.low && namedLow(hand.low, t)].filter((name) => name !== null);
  return both.length === 2 ? t('highAndLow', { high: both[0] ?? '', low: both[1] ?? '' }) : (both[0] ?? '');
}

// A game of Binokel as far as one viewer knows it.

import type { Card, GameFinished, GameTerminated, Meld, Rules, SideScore, Special } from '../../wire/binokel.events';
import type { Auction } from './auction';
import { seen, sorted, type CardId, type Suit } from './cards';

export interface Played {
  seat: number;
  card: CardId;
}

/** Cards in one place: those the viewer knows, and how many more. */
export interface Holding {
  known: CardId[];
  hidden: number;
}

export interface Melded {
  melds: Meld[];
  points: number;
}

export interface Player {
  name: string;
  isBot: boolean;
  hand: Holding;
  /** The last thing said in the bidding. */
  call: number | 'pass' | null;
  melded: Melded | null;
  tricks: number;
  /** What the tricks count. */
  taken: number;
}

export interface Trick {
  leader: number;
  cards: Played[];
}

/** One line of the score sheet. Scores stand side by side: by seat, or by team with four. */
export interface Entry {
  round: number;
  declarer: number | null;
  bid: number;
  wentOut: boolean;
  /** The game that was announced in place of trump. */
  special: Special | null;
  /** Which sides have melded but took no trick, so that their melds count nothing. */
  voids: boolean[];
  scores: SideScore[];
  totals: number[];
}

export type Phase =
  | 'waiting'
  | 'bidding'
  | 'takingDabb'
  | 'layingAway'
  | 'namingTrump'
  | 'melding'
  | 'tricks'
  | 'scored'
  | 'finished'
  | 'terminated';

export interface Game {
  rules: Rules | null;
  players: Player[];
  round: number;
  dealer: number;
  phase: Phase;
  awaits: number[];
  auction: Auction;
  /** The cards on the table until they are taken; null for those unseen. */
  dabb: (CardId | null)[];
  /** What the declarer took up, as far as it was seen. */
  tookUp: CardId[];
  laidAway: (CardId | null)[];
  trump: Suit | null;
  /** The game announced in place of trump. */
  special: Special | null;
  isGoingOut: boolean;
  trick: Trick;
  lastTrick: (Trick & { winner: number; points: number | null }) | null;
  sheet: Entry[];
  totals: number[];
  /** What the last event moved, for outlines. */
  moved: CardId[];
  /** When the awaited players' time is up, on the house's clock. */
  deadline: number | null;
  finished: GameFinished | null;
  terminated: GameTerminated | null;
}

export function empty(): Game {
  return {
    rules: null,
    players: [],
    round: 0,
    dealer: 0,
    phase: 'waiting',
    awaits: [],
    auction: { opener: 0, highest: null, passed: [] },
    dabb: [],
    tookUp: [],
    laidAway: [],
    trump: null,
    special: null,
    isGoingOut: false,
    trick: { leader: 0, cards: [] },
    lastTrick: null,
    sheet: [],
    totals: [],
    moved: [],
    deadline: null,
    finished: null,
    terminated: null,
  };
}

export const awaiting = (game: Game): number[] => game.awaits;
export const isOver = (game: Game): boolean => game.finished !== null || game.terminated !== null;

/** Who won the bidding; nobody while it goes on. */
export const declarer = (game: Game): number | null =>
  game.phase === 'bidding' || game.phase === 'waiting' ? null : (game.auction.highest?.seat ?? null);

export const isTeams = (game: Game): boolean => game.players.length === 4;
export const partner = (game: Game, seat: number): number | null => (isTeams(game) ? (seat + 2) % 4 : null);
export const sideOf = (game: Game, seat: number): number => (isTeams(game) ? seat % 2 : seat);
/** The seats of each side. */
export const sides = (game: Game): number[][] =>
  isTeams(game) ? [[0, 2], [1, 3]] : game.players.map((_, seat) => [seat]);
export const sideName = (game: Game, side: number): string =>
  (sides(game)[side] ?? []).map((seat) => game.players[seat]?.name ?? '').join(' + ');

export const count = (hand: Holding): number => hand.known.length + hand.hidden;

export const newcomer = (name: string, isBot: boolean): Player => ({
  name,
  isBot,
  hand: { known: [], hidden: 0 },
  call: null,
  melded: null,
  tricks: 0,
  taken: 0,
});

const NOBODY = newcomer('', false);
export const of = (game: Game, seat: number): Player => game.players[seat] ?? NOBODY;
export const after = (game: Game, seat: number): number => (seat + 1) % game.players.length;

/** What the wire keeps by seat or side, in order. */
export const each = <T = number>(record: Record<string, unknown>): T[] =>
  Object.keys(record)
    .sort()
    .map((key) => record[key] as T);

export function holding(cards: readonly Card[]): Holding {
  const known = cards.map(seen).filter((card) => card !== null);
  return { known: sorted(known), hidden: cards.length - known.length };
}

/** Cards leave. Where some are not seen, nobody can tell which of the others are still there. */
export function partedWith(hand: Holding, away: readonly (CardId | null)[]): Holding {
  const seenAway = away.filter((card) => card !== null);
  const before = seenAway.length < away.length ? { known: [], hidden: count(hand) } : hand;
  const known = before.known.filter((card) => !seenAway.includes(card));
  return { known, hidden: Math.max(0, count(before) - away.length - known.length) };
}

/** These cards turn out to be in the hand. */
export function shown(hand: Holding, cards: readonly CardId[]): Holding {
  const fresh = cards.filter((card) => !hand.known.includes(card));
  return { known: sorted([...hand.known, ...fresh]), hidden: Math.max(0, hand.hidden - fresh.length) };
}

/** What an announced game gives when made, and costs when lost. */
export const WORTH: Record<Special, number> = { durch: 1000, bettel: 500 };

/** What the declarer may announce in place of trump: what the house plays, unless more was bid than it gives. */
export function specials(game: Game): Special[] {
  const { rules, auction } = game;
  return (['durch', 'bettel'] as const).filter((special) => rules?.[special] && WORTH[special] >= (auction.highest?.amount ?? 0));
}

/** How many cards the declarer lays away: what was taken up, or what the hand holds beyond the others'. */
export function dabbSize(game: Game): number {
  const held = game.players.map((player) => count(player.hand));
  return game.tookUp.length || Math.max(0, ...held) - Math.min(...held);
}

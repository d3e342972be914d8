// A match of stud as a viewer knows it.

import type { Card, DealEnd, GameFinished, Offer, Rules, Stakes, Street, Variant } from '../../wire/stud.events';

/** What a seat can do with its chips when it is asked. */
export type Deed = 'BRING_IN' | 'COMPLETE' | 'BET' | 'RAISE' | 'CALL' | 'FOLD' | 'CHECK';

export interface Player {
  name: string;
  isBot: boolean;
  stack: number;
  /** Still in the deal. */
  active: boolean;
  dealtIn: boolean;
  committedTotal: number;
  committedThisStreet: number;
  /** Up cards, third street first. */
  up: Card[];
  /** Two down cards and seventh street's; null where the viewer may not see them. */
  down: (Card | null)[];
  lastAction: Deed | null;
  sittingOut: boolean;
  /** Seconds. */
  timeBank: number;
}

export interface Match {
  rules: Rules | null;
  players: Player[];
  /** The deal under way or just over, from 1. */
  deal: number;
  variant: Variant;
  stakes: Stakes;
  street: Street | null;
  pot: number;
  currentBet: number;
  bringIn: number | null;
  /** Who is asked, and what for. */
  next: { seat: number; legal: Offer[] } | null;
  /** When the asked player's time is up, on the house's clock. */
  deadline: number | null;
  /** The seat that moved last; null after cards came. */
  moved: number | null;
  /** The last deal's end; it stays while the next one is played. */
  ended: (DealEnd & { deal: number }) | null;
  /** No deal is under way. */
  dealFinished: boolean;
  finished: GameFinished | null;
}

export function empty(): Match {
  return {
    rules: null,
    players: [],
    deal: 0,
    variant: 'studHi',
    stakes: { ante: 0, bringIn: 0, smallBet: 0, bigBet: 0 },
    street: null,
    pot: 0,
    currentBet: 0,
    bringIn: null,
    next: null,
    deadline: null,
    moved: null,
    ended: null,
    dealFinished: true,
    finished: null,
  };
}

export const isOver = (match: Match): boolean => match.finished !== null;

/** Has chips and wants to play. */
export const isPresent = (player: Player): boolean => player.stack > 0 && !player.sittingOut;

/** Whoever is asked; between deals, those without whom the next cannot begin. */
export function awaiting(match: Match): number[] {
  if (match.next) return [match.next.seat];
  if (!match.dealFinished || match.finished || match.deal === 0) return [];
  const withChips = match.players.filter((player) => player.stack > 0);
  const present = withChips.filter(isPresent);
  // Where the absent ante they are dealt in, as long as anybody is there to play for it.
  const ready = match.rules?.absentAnte && present.length > 0 ? withChips : present;
  if (ready.length >= 2) return [];
  const couldReturn = (player: Player) => !isPresent(player) && (player.stack > 0 || match.rules?.rebuy != null);
  return match.players.flatMap((player, seat) => (couldReturn(player) ? [seat] : []));
}

export const seated = (name: string, isBot: boolean, stack: number, timeBank: number): Player => ({
  name,
  isBot,
  stack,
  timeBank,
  active: false,
  dealtIn: false,
  committedTotal: 0,
  committedThisStreet: 0,
  up: [],
  down: [],
  lastAction: null,
  sittingOut: false,
});

/** Bots of one kind share a name; the table must tell them apart. */
export function distinct(names: string[]): string[] {
  return names.map((name, seat) => {
    if (names.indexOf(name) === names.lastIndexOf(name)) return name;
    return `${name} ${names.slice(0, seat + 1).filter((one) => one === name).length}`;
  });
}

export function alter(match: Match, seat: number | null, change: (player: Player) => Partial<Player>): Match {
  const players = match.players.map((player, nth) => (nth === seat ? { ...player, ...change(player) } : player));
  return { ...match, players };
}

/** Two down, four up, one down: a hand laid open. */
export function laidOpen(match: Match, shown: DealEnd['shown']): Match {
  return shown.reduce((next, { seat, cards }) => alter(next, seat, () => ({ down: [...cards.slice(0, 2), ...cards.slice(6)], up: cards.slice(2, 6) })), match);
}

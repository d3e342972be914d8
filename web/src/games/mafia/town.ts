// What a viewer knows of a town: the shape that the fold makes and the table draws.

import type { Fate, NightAction, Role, Rules, Stage, Team } from '../../wire/mafia.events';

export type { NightAction, Role, Rules, Stage, Team };

export interface Player {
  name: string;
  isAlive: boolean;
  /** Where the viewer may know it. */
  role: Role | null;
  team: Team | null;
  /** What they died of, and in which round. */
  death: { by: Fate; round: number } | null;
}

export type Occasion = 'night' | 'day' | 'vote';

/** Something said or thought, put together from its parts. */
export interface Line {
  /** The turn it belongs to, unique in its game. */
  turn: string;
  seat: number;
  kind: 'say' | 'think';
  /** Heard by the mafia only. */
  isWhispered: boolean;
  occasion: Occasion;
  /** Which night or day. */
  number: number;
  /** As they came. */
  chunks: string[];
  isFinal: boolean;
}

/** Someone's choice: against whom; null for nobody. */
export interface Choice {
  seat: number;
  target: number | null;
}

export interface NightChoice extends Choice {
  action: NightAction | null;
}

/** What a night brought, as far as it is known. */
export interface Night {
  number: number;
  killed: number | null;
  isSave: boolean;
  guarded: number | null;
  found: { target: number; isMafia: boolean } | null;
}

export interface Ballot {
  /** Which one of its day. */
  number: number;
  /** Who can be voted for. */
  candidates: number[];
  votes: Choice[];
}

/** A ballot that was closed. */
export interface Result {
  round: number;
  ballot: number;
  votes: Choice[];
  /** Who goes. */
  out: number | null;
  isTie: boolean;
  /** Who stands in a second ballot. */
  runoff: number[];
}

export interface Town {
  rules: Rules | null;
  players: Player[];
  stage: Stage;
  /** Nights completed. */
  day: number;
  round: number;
  isPaused: boolean;
  /** Who has the floor. */
  speaker: number | null;
  /** Which pass over the living. */
  pass: number;
  /** Who has spoken in this pass. */
  spoken: number[];
  /** Who is known to have bid for the floor. */
  bidders: number[];
  /** Who is known to have acted tonight, and what they chose. */
  acted: number[];
  tonight: NightChoice[];
  ballot: Ballot | null;
  nights: Night[];
  results: Result[];
  lines: Line[];
  /** Seats that play nothing but fallbacks. */
  degraded: number[];
  /** When the time of those awaited is up, on the house's clock. */
  deadline: number | null;
  end: { winner: Team | null; calledOff: string | null } | null;
}

export function empty(): Town {
  return {
    rules: null,
    players: [],
    stage: 'SETUP',
    day: 0,
    round: 0,
    isPaused: false,
    speaker: null,
    pass: 1,
    spoken: [],
    bidders: [],
    acted: [],
    tonight: [],
    ballot: null,
    nights: [],
    results: [],
    lines: [],
    degraded: [],
    deadline: null,
    end: null,
  };
}

/** Players with names that tell them apart: several bots may go by the same. */
export function distinct<T extends { playerName: string }>(parts: T[]): (T & { name: string })[] {
  const isShared = (name: string) => parts.filter((part) => part.playerName === name).length > 1;
  return parts.map((part, seat) => ({ ...part, name: isShared(part.playerName) ? `${part.playerName} ${seat + 1}` : part.playerName }));
}

export const seatOf = (player: string): number => Number(player.slice(1)) - 1;
export const idOf = (seat: number): string => `p${seat + 1}`;
export const maybe = (player: string | null | undefined): number | null => (player ? seatOf(player) : null);
export const textOf = (line: Line): string => line.chunks.join('');
export const nameOf = (town: Town, seat: number | null): string => (seat === null ? '' : (town.players[seat]?.name ?? idOf(seat)));
export const living = (town: Town): number[] => town.players.flatMap((player, seat) => (player.isAlive ? [seat] : []));
export const isNight = (town: Town): boolean => town.stage === 'SETUP' || town.stage === 'NIGHT_ACTIONS';
export const teamOf = (role: Role): Team => (role === 'mafia' ? 'mafia' : 'town');

/** The day or night the town is in, counted from 1. */
export const count = (town: Town): number => (isNight(town) ? town.day + 1 : Math.max(1, town.day));

/** How many votes each holds, the most first. */
export function tally(votes: Choice[]): { seat: number; votes: number }[] {
  const held = new Map<number, number>();
  for (const { target } of votes) if (target !== null) held.set(target, (held.get(target) ?? 0) + 1);
  return [...held].map(([seat, votes]) => ({ seat, votes })).sort((a, b) => b.votes - a.votes || a.seat - b.seat);
}

/** The votes that lie open now: of the ballot under way, or of the one just counted. */
export function openVotes(town: Town): Choice[] {
  if (town.stage === 'DAY_VOTING') return town.ballot?.votes ?? [];
  const last = town.results.at(-1);
  return town.stage === 'RESOLUTION' && last?.round === town.round ? last.votes : [];
}

/** Whether the viewer sees into anyone's head. */
export const hasThoughts = (town: Town): boolean => town.lines.some((line) => line.kind === 'think');

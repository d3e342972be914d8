// What a seat may do now, from what its player knows. The house has the last word.

import type { Command } from '../../wire/mafia.events';
import { awaiting } from './fold';
import { idOf, living, type NightAction, type Role, type Town } from './town';

/** What is asked of a seat: `act` by night, the rest by day. */
export type Asked = 'act' | 'bid' | 'speak' | 'vote';

export const HIGHEST_BID = 3;
export const LONGEST_STATEMENT = 1000;
const WHISPERS_A_NIGHT = 8;

const BY_NIGHT: Partial<Record<Role, NightAction>> = { mafia: 'KILL', doctor: 'PROTECT', sheriff: 'INVESTIGATE' };

export interface Moves {
  asked: Asked;
  /** False where the seat has acted and may still think otherwise. */
  isAwaited: boolean;
  /** What choosing a seat would mean. */
  choice: NightAction | 'VOTE' | null;
  targets: number[];
  /** Choosing nobody: no kill, or abstaining. */
  mayChooseNobody: boolean;
  /** What was chosen so far; undefined where nothing was. */
  chosen: number | null | undefined;
  mayAcknowledge: boolean;
  mayWhisper: boolean;
}

const NONE = { choice: null, targets: [], mayChooseNobody: false, chosen: undefined, mayAcknowledge: false, mayWhisper: false };

export function moves(town: Town, me: number | null): Moves | null {
  const self = me === null ? undefined : town.players[me];
  if (me === null || !self?.isAlive || town.isPaused || town.end) return null;
  const isAwaited = awaiting(town).includes(me);
  switch (town.stage) {
    case 'NIGHT_ACTIONS':
      return self.role && byNight(town, me, self.role, isAwaited);
    case 'DAY_DISCUSSION':
      if (town.speaker === me) return { ...NONE, asked: 'speak', isAwaited };
      return town.speaker === null && isAwaited ? { ...NONE, asked: 'bid', isAwaited } : null;
    case 'DAY_VOTING': {
      const targets = living(town).filter((seat) => seat !== me && town.ballot?.candidates.includes(seat));
      const chosen = town.ballot?.votes.find((vote) => vote.seat === me)?.target;
      return { ...NONE, asked: 'vote', isAwaited, choice: 'VOTE', targets, mayChooseNobody: true, chosen };
    }
    default:
      return null;
  }
}

function byNight(town: Town, me: number, role: Role, isAwaited: boolean): Moves {
  const action = BY_NIGHT[role];
  if (!action) return { ...NONE, asked: 'act', isAwaited, mayAcknowledge: isAwaited && town.rules?.acknowledge === true };
  const whispers = town.lines.filter((line) => line.isWhispered && line.seat === me && line.number === town.day + 1).length;
  return {
    asked: 'act',
    isAwaited,
    choice: action,
    targets: living(town).filter((seat) => mayTarget(town, me, action, seat)),
    mayChooseNobody: action === 'KILL' && town.rules?.noKill === true,
    chosen: town.tonight.find((choice) => choice.seat === me)?.target,
    mayAcknowledge: false,
    mayWhisper: role === 'mafia' && town.rules?.mafiaChannel === true && whispers < WHISPERS_A_NIGHT,
  };
}

function mayTarget(town: Town, me: number, action: NightAction, seat: number): boolean {
  switch (action) {
    case 'KILL':
      return town.players[seat]?.role !== 'mafia';
    case 'PROTECT':
      return seat !== lastGuarded(town);
    case 'INVESTIGATE':
      return seat !== me;
  }
}

/** Never the one protected the night before. */
export const lastGuarded = (town: Town): number | null => town.nights.find((night) => night.number === town.day)?.guarded ?? null;

/** Choosing a seat, or nobody, as a command. */
export function choose(choice: Moves['choice'], target: number | null): Command | null {
  const id = target === null ? null : idOf(target);
  switch (choice) {
    case 'VOTE':
    case 'KILL':
      return { type: choice, target: id };
    case 'PROTECT':
    case 'INVESTIGATE':
      return id === null ? null : { type: choice, target: id };
    case null:
      return null;
  }
}

// A game this client does not know, as the house tells it in words.

import type { Choice, Event, Standing } from '../../wire/words';

export interface Told {
  /** What happened last, newest last. */
  lines: string[];
  /** How many of them the newest step told. */
  fresh: number;
  picture: string;
  turn: number[];
  options: Choice[];
  asides: Choice[];
  score: Standing | null;
  isOver: boolean;
  /** When the time of whoever is awaited is up, by the house's clock. */
  deadline: number | null;
}

/** So many lines are kept at hand. */
const KEPT = 60;

export const empty = (): Told => ({ lines: [], fresh: 0, picture: '', turn: [], options: [], asides: [], score: null, isOver: false, deadline: null });

export function fold(state: Told, message: Event): Told {
  // Who comes and goes, and what was refused, changes nothing on the table.
  if (message.type !== 'step' && message.type !== 'snapshot') return state;
  const seconds = message.type === 'snapshot' ? message.seconds_left : message.seconds;
  return {
    lines: [...state.lines, ...message.lines].slice(-KEPT),
    fresh: message.lines.length,
    picture: message.picture,
    turn: message.turn,
    options: message.options,
    asides: message.asides,
    score: message.score ?? null,
    isOver: message.over,
    deadline: seconds === null || seconds === undefined ? null : message.timestamp + seconds * 1000,
  };
}

/** Some games end their lines like sentences, others do not. */
const sentence = (line: string): string => (/[.!?…:]$/.test(line) ? line : `${line}.`);

export const told = (_before: Told, message: Event): string | null => (message.type === 'step' && message.lines.length > 0 ? message.lines.map(sentence).join(' ') : null);

/** A round that is over, and the end. */
export function mark(before: Told, _message: Event, after: Told): string | null {
  if (after.isOver && !before.isOver) return 'markEnd';
  return (after.score?.rounds ?? 0) > (before.score?.rounds ?? 0) ? 'markRound' : null;
}

/** What was said stays long enough to be read. */
export const beat = (message: Event): number => (message.type === 'step' && message.lines.length > 0 ? 700 : 0);

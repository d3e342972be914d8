// The one interface between the house and the games. The house knows nothing
// of a game but this; a game knows nothing of connections, tokens or pages.

import type { Component } from 'svelte';
import type { Lang, Words } from '../words/index.svelte';
import type { SeatInfo } from '../house/api';

export interface TableProps<State, Event, Command> {
  /** What the viewer knows, folded from the messages. */
  state: State;
  /** The viewer's own seat; null for spectators. */
  me: number | null;
  /** The last message that was folded, for what should move or be outlined. */
  last: Event | null;
  /** Sends a command to the house; does nothing in a replay. */
  act: (command: Command) => void;
  /** A command is under way, or what it made has not arrived yet. */
  busy: boolean;
  /** Why the last command was refused, in a sentence; shown by the page too. */
  error: string | null;
  /** Who sits where, with names and whether they are connected. */
  seats: SeatInfo[];
  /** The game's words first, the common ones then, in the player's language. */
  t: Words;
  /** Milliseconds to add to this machine's clock to get the house's. */
  skew: number;
  /** False in replays: nothing can be done, no clock runs. */
  live: boolean;
}

export interface GameUi<State, Event, Command> {
  /** As the house names it: `koikoi`. */
  name: string;
  /** The dialect its messages are in: `koikoi.protocol`. */
  dialect: string;
  empty(): State;
  /** One message of the dialect: an event of the stream, a snapshot or a remark. Pure. */
  fold(state: State, message: Event): State;
  /** A line in words of what just happened, or null. */
  told(before: State, message: Event, after: State, t: Words): string | null;
  /** A named moment for the scrubber, as a key of the game's words, or null. */
  mark(before: State, message: Event, after: State): string | null;
  /** The seats that are waited for. */
  awaiting(state: State): number[];
  /** Whether the game is over. */
  isOver(state: State): boolean;
  /** How long, in ms, a live message stays on the table before the next may follow. */
  beat(message: Event): number;
  table: Component<TableProps<State, Event, Command>>;
  words: Record<Lang, Record<string, string>>;
}

/** A game whose types the house does not know. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type AnyGame = GameUi<any, any, any>;

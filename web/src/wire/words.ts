// Written from the schemas of `words` by house/tests/wire_types.rs; not to be edited.

/** Something the viewer may do. */
export type Choice = {
  /** What it is, in a few words. */
  label: string;
  /** What to send for it. */
  command: unknown;
};

/** How the game stands, where the viewer may know it. */
export type Standing = {
  /** Each seat's points. */
  points: number[];
  /** The seats that have won. */
  winners: number[];
  /** How many rounds were played. */
  rounds: number;
};

/** A step of the game. */
export type step = {
  type: "step";
  /** The position in the stream. */
  position: number;
  /** Milliseconds since 1970. */
  timestamp: number;
  /** What just happened, a sentence each; nothing in a snapshot. */
  lines: string[];
  /** The table as the viewer knows it, in a few lines of text. */
  picture: string;
  /** The seats that are waited for, as far as the viewer knows. */
  turn: number[];
  /** How long they may think, from this message on; null where no clock runs or the viewer cannot know it. */
  seconds: number | null;
  /** The viewer's moves; nothing where it is not asked. */
  options: Choice[];
  /** What the viewer may do beside its moves. */
  asides: Choice[];
  /** How it stands; null where the viewer cannot know it. */
  score: Standing | null;
  /** Whether the game is over. */
  over: boolean;
};

/** The present as a whole. */
export type snapshot = {
  type: "snapshot";
  /** The position in the stream. */
  position: number;
  /** Milliseconds since 1970. */
  timestamp: number;
  /** What just happened, a sentence each; nothing in a snapshot. */
  lines: string[];
  /** The table as the viewer knows it, in a few lines of text. */
  picture: string;
  /** The seats that are waited for, as far as the viewer knows. */
  turn: number[];
  /** How long they may think, from this message on; null where no clock runs or the viewer cannot know it. */
  seconds: number | null;
  /** The viewer's moves; nothing where it is not asked. */
  options: Choice[];
  /** What the viewer may do beside its moves. */
  asides: Choice[];
  /** How it stands; null where the viewer cannot know it. */
  score: Standing | null;
  /** Whether the game is over. */
  over: boolean;
  /** What is left on the clock, in whole seconds; null where none runs. */
  seconds_left: number | null;
};

export type Event = step | snapshot;

export type Command = never;

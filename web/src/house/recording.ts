// A game told from its first message to its last, to be travelled in.

import type { AnyGame } from '../games/ui';
import type { Words } from '../words/index.svelte';

export interface Mark {
  position: number;
  /** A key of the game's words. */
  kind: string;
}

export class Recording {
  /** The state after so many messages; the first is the empty table. */
  readonly states: unknown[];
  readonly marks: Mark[] = [];

  constructor(
    readonly game: AnyGame,
    readonly messages: unknown[],
  ) {
    this.states = [game.empty()];
    messages.forEach((message, nth) => {
      const before = this.states[nth];
      const after: unknown = game.fold(before, message);
      this.states.push(after);
      const kind = game.mark(before, message, after);
      if (kind !== null) this.marks.push({ position: nth + 1, kind });
    });
  }

  get length(): number {
    return this.messages.length;
  }

  message(position: number): unknown {
    return position > 0 ? this.messages[position - 1] : null;
  }

  /** The newest sentence at a position. */
  told(position: number, words: Words): string | null {
    for (let at = position; at > 0; at -= 1) {
      const told = this.game.told(this.states[at - 1], this.messages[at - 1], this.states[at], words);
      if (told !== null) return told;
    }
    return null;
  }
}

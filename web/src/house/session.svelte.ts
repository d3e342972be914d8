// One table as this browser follows it: the stream folded by the game, shown
// message by message, and the commands sent from here. Nothing is guessed: what
// is on the table is what the house has said.

import type { AnyGame } from '../games/ui';
import { translator } from '../words/index.svelte';
import { Refused, isPassing, sendCommand, tableInfo, type TableInfo } from './api';
import { listen, type Heard, type LineState } from './connection';
import type { Seat } from './seats';
import { isMoving } from './settings.svelte';

/** Lines of the story that are kept. */
const STORY = 200;
/** More than this waiting to be shown is shown at once. */
const TOO_FAR_BEHIND = 12;
/** A command that does not get through is tried again for about half a minute. */
const RETRIES = 22;
const LONGEST_WAIT = 1500;

export interface Line {
  position: number | null;
  before: unknown;
  message: unknown;
  after: unknown;
}

export class TableSession {
  info: TableInfo = $state.raw(undefined!);
  /** The game's own state. */
  state: unknown = $state.raw();
  last: unknown = $state.raw(null);
  position = $state(0);
  line: LineState = $state('connecting');
  error: string | null = $state(null);
  /** The house refused the whole line: the seat or the table is gone. */
  closed: Refused | null = $state.raw(null);
  story: Line[] = $state.raw([]);
  skew = $state(0);
  private sending = $state(0);
  private made = $state(0);
  private queue: Heard[] = [];
  private timer: ReturnType<typeof setTimeout> | null = null;
  private hangUp: () => void;

  constructor(
    readonly game: AnyGame,
    info: TableInfo,
    readonly seat: Seat | null,
  ) {
    this.info = info;
    this.state = game.empty();
    this.hangUp = listen({
      table: info.table_id,
      dialect: game.dialect,
      token: seat?.token ?? null,
      heard: (messages, isBacklog) => this.hear(messages, isBacklog),
      state: (now) => (this.line = now),
      begin: () => this.begin(),
      skew: (ms) => (this.skew = ms),
      refused: (error) => (this.closed = error),
    });
  }

  get me(): number | null {
    return this.seat?.seat ?? null;
  }

  get busy(): boolean {
    return this.sending > 0 || this.position < this.made;
  }

  get isMyTurn(): boolean {
    return this.me !== null && !this.isOver && this.game.awaiting(this.state).includes(this.me);
  }

  get isOver(): boolean {
    return this.game.isOver(this.state);
  }

  /** Reads who sits at the table, and whether they are there. */
  async look(): Promise<void> {
    try {
      this.info = await tableInfo(this.info.table_id);
    } catch {
      // The line says what is wrong with the connection.
    }
  }

  /** Sends a command. The same key goes with every try, so it counts once. */
  act = async (command: unknown): Promise<void> => {
    if (!this.seat || this.busy) return;
    this.error = null;
    this.sending += 1;
    const key = crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`;
    try {
      for (let attempt = 1; ; attempt += 1) {
        try {
          this.made = await sendCommand(this.seat.table, this.game.dialect, this.seat.token, key, command);
          break;
        } catch (error) {
          const mayPass = error instanceof Refused && error.status !== 429 && isPassing(error);
          if (!mayPass || attempt === RETRIES) throw error;
          const wait = Math.min(LONGEST_WAIT, 125 * 2 ** attempt);
          await new Promise((resolve) => setTimeout(resolve, wait));
        }
      }
    } catch (error) {
      this.error = error instanceof Refused && error.status !== 0 ? error.message : translator()('unreachable');
    } finally {
      this.sending -= 1;
    }
  };

  close(): void {
    this.hangUp();
    if (this.timer) clearTimeout(this.timer);
  }

  private begin(): void {
    this.queue = [];
    this.story = [];
    this.state = this.game.empty();
    this.last = null;
    this.position = 0;
    this.made = 0;
  }

  private hear(messages: Heard[], isBacklog: boolean): void {
    // Whoever has moved has seen enough of what went before: the move waits for no beat.
    if (this.timer && this.busy) this.showAll();
    this.queue.push(...messages);
    if (isBacklog || !isMoving() || this.queue.length > TOO_FAR_BEHIND) this.showAll();
    else if (!this.timer) this.showNext();
  }

  private showAll(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    const all = this.queue;
    this.queue = [];
    if (all.length > 0) this.show(all);
  }

  private showNext(): void {
    const next = this.queue.shift();
    this.timer = null;
    if (!next) return;
    this.show([next]);
    const beat = this.game.beat(next.message);
    if (beat > 0) this.timer = setTimeout(() => this.showNext(), beat);
    else this.showNext();
  }

  private show(batch: Heard[]): void {
    let { state, position } = this;
    const lines: Line[] = [];
    for (const { position: at, message } of batch) {
      const after = this.game.fold(state, message);
      lines.push({ position: at, before: state, message, after });
      state = after;
      position = at ?? position;
    }
    const story = [...this.story, ...lines];
    this.story = story.slice(-STORY);
    this.state = state;
    this.last = batch.findLast((heard) => heard.position !== null)?.message ?? this.last;
    this.position = position;
  }
}

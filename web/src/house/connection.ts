// A table's stream: server-sent events read by `fetch`, because that can carry
// a token in a header and show heartbeats. Whatever breaks, it goes on after
// the last position it handed over, so nothing is missed and nothing is twice.

import { Refused, eventsPath, isPassing, reach } from './api';

/** The house sends something at least every 15 s; silence longer than this is a dead line. */
const SILENCE = 40_000;
const FIRST_WAIT = 250;
const LONGEST_WAIT = 8_000;

export type LineState = 'connecting' | 'live' | 'lost';

export interface Line {
  table: string;
  dialect: string;
  token: string | null;
  /** What arrived together: after a (re)connection the whole backlog, then step by step. */
  heard(messages: Heard[], isBacklog: boolean): void;
  state(now: LineState): void;
  /** The house has not got as far as we have: what we heard is void, and it begins anew. */
  begin(): void;
  /** The house's clock minus ours, in ms. */
  skew(ms: number): void;
  /** The house will never let this line through: no such table, or no such token. */
  refused(error: Refused): void;
}

export interface Heard {
  /** Null for what is no part of the stream: refusals, presence. */
  position: number | null;
  message: unknown;
}

/** Opens a line; the function it returns closes it. */
export function listen(line: Line): () => void {
  let position = 0;
  let isOpen = true;
  let wait = FIRST_WAIT;
  let attempt: AbortController | null = null;
  let wake: (() => void) | null = null;

  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(done, ms);
      function done() {
        clearTimeout(timer);
        wake = null;
        resolve();
      }
      wake = done;
    });

  /** Hands over what is new; false where something is missing in between. */
  const pass = (batch: Heard[], isBacklog: boolean): boolean => {
    const fresh: Heard[] = [];
    for (const heard of batch) {
      if (heard.position !== null) {
        if (heard.position <= position) continue;
        if (heard.position !== position + 1) return false;
        position = heard.position;
      }
      fresh.push(heard);
    }
    if (fresh.length > 0) line.heard(fresh, isBacklog);
    return true;
  };

  const once = async (): Promise<void> => {
    attempt = new AbortController();
    const { signal } = attempt;
    let watchdog = setTimeout(() => attempt?.abort(), SILENCE);
    try {
      const path = eventsPath(line.table, line.dialect, position);
      const answer = await reach(path, { token: line.token, signal, cache: 'no-store' });
      const date = Date.parse(answer.headers.get('date') ?? '');
      if (!Number.isNaN(date)) line.skew(date + 500 - Date.now());
      const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
      line.state('live');
      wait = FIRST_WAIT;
      let text = '';
      let isBacklog = true;
      for (;;) {
        const { value, done } = await reader.read();
        if (done) return;
        clearTimeout(watchdog);
        watchdog = setTimeout(() => attempt?.abort(), SILENCE);
        text += value;
        const end = text.lastIndexOf('\n\n');
        if (end < 0) continue;
        const batch = parse(text.slice(0, end));
        text = text.slice(end + 2);
        if (!pass(batch, isBacklog)) return;
        isBacklog &&= batch.length > 0 && text.length > 0;
      }
    } finally {
      clearTimeout(watchdog);
      attempt.abort();
    }
  };

  const run = async () => {
    line.state('connecting');
    while (isOpen) {
      try {
        await once();
      } catch (error) {
        if (error instanceof Refused) {
          if (error.status === 409) {
            position = 0;
            line.begin();
          } else if (!isPassing(error)) {
            isOpen = false;
            line.refused(error);
            return;
          }
        }
      }
      if (!isOpen) return;
      line.state('lost');
      await pause(wait * (0.75 + Math.random() / 2));
      wait = Math.min(wait * 2, LONGEST_WAIT);
    }
  };

  // A machine that wakes up, or finds its network again, does not wait.
  const hurry = () => {
    if (document.visibilityState === 'hidden') return;
    wait = FIRST_WAIT;
    wake?.();
  };
  // A network that is gone need not be waited for in silence.
  const hang = () => attempt?.abort();
  addEventListener('offline', hang);
  addEventListener('online', hurry);
  document.addEventListener('visibilitychange', hurry);
  void run();

  return () => {
    isOpen = false;
    attempt?.abort();
    wake?.();
    removeEventListener('offline', hang);
    removeEventListener('online', hurry);
    document.removeEventListener('visibilitychange', hurry);
  };
}

/** Server-sent events as the house writes them: `id:` and one `data:` line each. */
export function parse(text: string): Heard[] {
  const heard: Heard[] = [];
  for (const block of text.split('\n\n')) {
    let position: number | null = null;
    let data: string | null = null;
    for (const one of block.split('\n')) {
      if (one.startsWith('id: ')) position = Number(one.slice(4));
      else if (one.startsWith('data: ')) data = one.slice(6);
    }
    if (data !== null) heard.push({ position, message: JSON.parse(data) });
  }
  return heard;
}

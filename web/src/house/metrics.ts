// The house's own measures, read from its Prometheus page.

export interface Measures {
  at: number;
  tables: number;
  listeners: number;
  events: number;
  commands: number;
  refusals: number;
  /** All appends so far: how many, and how long they took together, in seconds. */
  appends: number;
  appendSeconds: number;
}

/** The sum of a measure over all its labels. */
function sum(text: string, name: string): number {
  let total = 0;
  for (const line of text.split('\n')) {
    if (!line.startsWith(name)) continue;
    const rest = line.slice(name.length);
    if (rest.startsWith(' ') || rest.startsWith('{')) total += Number(line.slice(line.lastIndexOf(' ') + 1)) || 0;
  }
  return total;
}

export function readMeasures(text: string, at: number): Measures {
  return {
    at,
    tables: sum(text, 'parlor_live_tables'),
    listeners: sum(text, 'parlor_subscribers'),
    events: sum(text, 'parlor_events_appended_total'),
    commands: sum(text, 'parlor_commands_total'),
    refusals: sum(text, 'parlor_refusals_total'),
    appends: sum(text, 'parlor_append_seconds_count'),
    appendSeconds: sum(text, 'parlor_append_seconds_sum'),
  };
}

export interface Rates {
  events: number;
  commands: number;
  refusals: number;
  /** Mean of the appends between the two readings, in ms; null where there were none. */
  appendMs: number | null;
}

export function between(before: Measures, now: Measures): Rates {
  const seconds = Math.max(0.001, (now.at - before.at) / 1000);
  const appends = now.appends - before.appends;
  return {
    events: (now.events - before.events) / seconds,
    commands: (now.commands - before.commands) / seconds,
    refusals: (now.refusals - before.refusals) / seconds,
    appendMs: appends > 0 ? ((now.appendSeconds - before.appendSeconds) / appends) * 1000 : null,
  };
}

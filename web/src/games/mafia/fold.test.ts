// The streams are the golden ones of the rules' own tests: a whole game of
// five, as the public, a seat and the admin are told it, each with the
// snapshot of its end as the last line.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Event } from '../../wire/mafia.events';
import { chronicle } from './chronicle';
import { awaiting, fold, isOver } from './fold';
import { mark } from './marks';
import { scene } from './scene';
import { told } from './told';
import { empty, hasThoughts, openVotes, tally, textOf, type Town } from './town';
import { words } from './words';

const golden = new URL('../../../../games/mafia/tests/snapshots/wire__a_game_of_five_as_each_view_is_told.snap', import.meta.url);

function recorded(view: string): Event[] {
  const lines = readFileSync(golden, 'utf8').split('\n');
  const from = lines.indexOf(view) + 1;
  const to = lines.findIndex((line, at) => at > from && !line.startsWith('{'));
  return lines.slice(from, to < 0 ? undefined : to).map((line) => JSON.parse(line) as Event);
}

interface Told {
  stream: Event[];
  snapshot: Event;
  towns: Town[];
}

function follow(view: string): Told {
  const all = recorded(view);
  const stream = all.filter((message) => message.eventType !== 'SNAPSHOT');
  const towns = stream.reduce<Town[]>((before, message) => [...before, fold(before.at(-1)!, message)], [empty()]);
  return { stream, snapshot: all.at(-1)!, towns };
}

const views = { public: follow('public'), seat: follow('seat:0'), admin: follow('admin') };

/** The town right after the nth message of a kind. */
function after({ stream, towns }: Told, kind: Event['eventType'], nth = 0): Town {
  const found = stream.flatMap((message, at) => (message.eventType === kind ? [at] : []));
  return towns[found.at(nth)! + 1]!;
}

const t = (key: string, values: Record<string, string | number> = {}) =>
  (words.en[key] ?? key).replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));

describe('a stream', () => {
  for (const [view, { snapshot, towns }] of Object.entries(views)) {
    test(`leads to what the snapshot of its end says, for the ${view} view`, () => {
      // A snapshot has whole sentences where the stream had pieces of them.
      const inOne = (town: Town): Town => ({ ...town, lines: town.lines.map((line) => ({ ...line, chunks: [textOf(line)] })) });
      const compared = (town: Town) => ({
        ...inOne(town),
        // Of a day that is over nobody asks who spoke when.
        pass: 0,
        spoken: [],
        deadline: null,
      });
      expect(compared(towns.at(-1)!)).toEqual(compared(fold(empty(), snapshot)));
      expect(chronicle(inOne(towns.at(-1)!))).toEqual(chronicle(inOne(fold(towns.at(-1)!, snapshot))));
    });
  }

  test('shows a seat its own role, the public none, the admin all', () => {
    const roles = (view: Told) => after(view, 'GAME_CREATED').players.map((player) => player.role);
    expect(roles(views.public)).toEqual([null, null, null, null, null]);
    expect(roles(views.seat)).toEqual(['villager', null, null, null, null]);
    expect(roles(views.admin)).toEqual(['villager', 'doctor', 'villager', 'villager', 'mafia']);
  });

  test('tells nobody by night who is waited for, but those who know the roles', () => {
    expect(awaiting(after(views.public, 'PHASE_CHANGED'))).toEqual([]);
    expect(awaiting(after(views.seat, 'PHASE_CHANGED'))).toEqual([]);
    expect(awaiting(after(views.admin, 'PHASE_CHANGED'))).toEqual([1, 4]);
    expect(awaiting(after(views.admin, 'NIGHT_ACTION_SUBMITTED'))).toEqual([4]);
  });

  test('passes the floor around the circle, then to the ballot', () => {
    const { stream, towns } = views.public;
    const speakers = stream.flatMap((message, at) => (message.eventType === 'AGENT_SAY_STREAM' ? [towns[at]!.speaker] : []));
    // Whoever has the floor says what they have to say, in pieces.
    expect(speakers.filter((speaker, at) => speaker !== speakers[at - 1])).toEqual([0, 1, 2, 3, 4]);
    expect(after(views.public, 'AGENT_SAY_STREAM', -1).speaker).toBeNull();
    expect(awaiting(after(views.public, 'VOTE_CAST'))).toEqual([1, 2, 3, 4]);
  });

  test('shows thoughts to those who are told of them, and only their own to a seat', () => {
    expect(hasThoughts(views.public.towns.at(-1)!)).toBe(false);
    const thinkers = (view: Told) => new Set(view.towns.at(-1)!.lines.filter((line) => line.kind === 'think').map((line) => line.seat));
    expect([...thinkers(views.seat)]).toEqual([0]);
    expect(thinkers(views.admin).size).toBe(5);
  });

  test('counts the votes and turns the card of whoever goes', () => {
    expect(tally(openVotes(after(views.public, 'VOTE_RESULT')))).toEqual([
      { seat: 4, votes: 4 },
      { seat: 0, votes: 1 },
    ]);
    const town = after(views.public, 'PLAYER_ELIMINATED');
    expect(town.players[4]).toMatchObject({ isAlive: false, role: 'mafia', death: { by: 'vote', round: 1 } });
    expect(scene(town, views.public.stream.findLast((message) => message.eventType === 'PLAYER_ELIMINATED')!)).toEqual({ kind: 'death', seat: 4 });
    expect(isOver(town)).toBe(false);
    expect(isOver(views.public.towns.at(-1)!)).toBe(true);
  });

  test('is told in words, with every blank filled', () => {
    for (const { stream, towns } of Object.values(views)) {
      const lines = stream.map((message, at) => told(towns[at]!, message, towns[at + 1]!, t)).filter((line) => line !== null);
      for (const line of lines) expect(line).not.toMatch(/\{\w+\}|undefined|toldNo/);
      expect(lines).toContain('Player 5 votes against Player 1.');
      expect(lines).toContain('Player 5 4, Player 1 1: Player 5 must go.');
      expect(lines.at(-1)).toBe('The town wins.');
    }
  });

  test('marks nights, days, votes, deaths and the end', () => {
    const { stream, towns } = views.public;
    const marks = stream.map((message, at) => mark(towns[at]!, message, towns[at + 1]!)).filter((key) => key !== null);
    expect(marks).toEqual(['markNight', 'markDay', 'markVote', 'markDeath', 'markEnd']);
    for (const key of marks) expect(words.en[key]).toBeDefined();
  });
});

test('the house may remark who comes and goes', () => {
  const town = views.public.towns.at(-1)!;
  const remark = { type: 'presence', player_id: 'p1', connected: true, timestamp: 1 } as unknown as Event;
  expect(fold(town, remark)).toBe(town);
  expect(told(town, remark, town, t)).toBeNull();
  expect(mark(town, remark, town)).toBeNull();
});

test('players who go by the same name are told apart by their seats', () => {
  const created = views.public.stream[0]!;
  if (created.eventType !== 'GAME_CREATED') throw new Error('a stream begins with its game');
  const initialRoles = created.payload.initialRoles.map((part, seat) => ({ ...part, playerName: seat < 2 ? 'bayes' : part.playerName }));
  const town = fold(empty(), { ...created, payload: { ...created.payload, initialRoles } });
  expect(town.players.map((player) => player.name)).toEqual(['bayes 1', 'bayes 2', 'Player 3', 'Player 4', 'Player 5']);
});

describe('words', () => {
  const { towns, stream } = views.public;
  const spoken = stream.find((message) => message.eventType === 'AGENT_SAY_STREAM')!;
  const chunk = (text: string, final: boolean) => ({ ...spoken, payload: { ...spoken.payload, chunk: text, final } }) as Event;

  test('append to the same statement until its end, and keep the floor so long', () => {
    const before = towns[stream.indexOf(spoken)]!;
    const open = [chunk('I have ', false), chunk('a doubt', false)].reduce(fold, before);
    expect(open.lines).toHaveLength(1);
    expect(textOf(open.lines[0]!)).toBe('I have a doubt');
    expect(open).toMatchObject({ speaker: 0, lines: [{ isFinal: false }] });
    const done = fold(open, chunk('.', true));
    expect(textOf(done.lines[0]!)).toBe('I have a doubt.');
    expect(done).toMatchObject({ speaker: 1, lines: [{ isFinal: true }] });
  });

  test('give whoever is next their whole time', () => {
    const done = fold(towns[stream.indexOf(spoken)]!, chunk('Enough.', true));
    expect(done.deadline).toBe((spoken as { timestamp: number }).timestamp + 60_000);
  });
});

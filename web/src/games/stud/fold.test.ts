// The fold against streams recorded from the house: `streams/*.jsonl`, one
// message a line, with the snapshots the house gave at the same positions.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Event, SNAPSHOT } from '../../wire/stud.events';
import { fill, type Words } from '../../words/index.svelte';
import { asides } from './asides';
import { fold } from './fold';
import { called, named, namedLow } from './hands';
import { mark } from './marks';
import { awaiting, empty, type Match } from './match';
import { heaps } from './pots';
import { told } from './told';
import { words } from './words';

type Line = { position: number; message: Event } | { snapshot: number; message: SNAPSHOT };

const read = (name: string): Line[] =>
  readFileSync(join(import.meta.dirname, 'streams', `${name}.jsonl`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);

const en: Words = (key, values) => fill(words.en[key] ?? `?${key}`, values);

interface Step {
  before: Match;
  message: Event;
  after: Match;
}

function steps(name: string): Step[] {
  let match = empty();
  return read(name).flatMap((line) => {
    if ('snapshot' in line) return [];
    const before = match;
    match = fold(before, line.message);
    return [{ before, message: line.message, after: match }];
  });
}

const STREAMS = ['mixed', 'hilo', 'asides'];
const chips = (match: Match) => match.players.reduce((sum, player) => sum + player.stack, match.dealFinished ? 0 : match.pot);

describe.each(STREAMS)('the stream %s', (name) => {
  it('folds to what the snapshots say', () => {
    const folded = steps(name).map(({ after }) => after);
    for (const line of read(name)) {
      if (!('snapshot' in line)) continue;
      const { ended, moved, deadline, ...streamed } = folded[line.snapshot - 1] ?? empty();
      const { ended: told, moved: _m, deadline: _d, ...restored } = fold(empty(), line.message);
      expect(streamed).toEqual(restored);
      if (streamed.dealFinished) expect(ended).toEqual(told);
    }
  });

  it('conserves the chips, but for what is bought', () => {
    for (const { before, message, after } of steps(name)) {
      if (message.type === 'GAME_STARTED') continue;
      const bought = message.type === 'REBOUGHT' ? message.amount : 0;
      expect(chips(after) - chips(before)).toBe(bought);
    }
  });

  it('puts every chip that is not in front of a seat into a pot', () => {
    for (const { after } of steps(name)) {
      if (after.dealFinished) continue;
      const inFront = after.players.reduce((sum, player) => sum + player.committedThisStreet, 0);
      expect(heaps(after).reduce((sum, heap) => sum + heap.amount, inFront)).toBe(after.pot);
    }
  });

  it('names hands as the house does', () => {
    for (const { message } of steps(name)) {
      if (message.type !== 'DEAL_END') continue;
      for (const { cards, high, low } of message.shown) {
        const hand = called(cards, message.variant);
        expect(hand.high && named(hand.high, en)).toBe(high);
        expect(hand.low && namedLow(hand.low, en)).toBe(low);
      }
    }
  });

  it('tells every event with words that are there', () => {
    for (const { before, message, after } of steps(name)) {
      expect(told(before, message, after, en) ?? '').not.toMatch(/[?{}]/);
      const key = mark(before, message, after);
      if (key) expect(words.en).toHaveProperty([key]);
    }
  });
});

it('does not change what it is given', () => {
  const [first, ...rest] = steps('mixed');
  const kept = structuredClone(first?.after);
  rest.reduce((match, { message }) => fold(match, message), first?.after ?? empty());
  expect(first?.after).toEqual(kept);
});

it('marks streets and showdowns', () => {
  const marks = steps('asides').map(({ before, message, after }) => mark(before, message, after));
  expect(marks.filter(Boolean).slice(0, 7)).toEqual(['markDeal', 'street3rd', 'street4th', 'street5th', 'street6th', 'street7th', 'markShowdown']);
});

it('offers the time bank while a clock runs, and chips to whoever has none', () => {
  const all = steps('asides');
  const at = (type: string) => all.find(({ message }) => message.type === type)!;
  expect(asides(at('DEAL_CARDS_3RD').after, 0)).toEqual(['SIT_OUT', 'TIME_BANK']);
  expect(asides(at('SAT_OUT').after, 1)).toEqual(['COME_BACK']);
  const end = at('DEAL_END').after;
  expect(asides(end, 0)).toEqual(['SIT_OUT', 'REBUY']);
  expect(awaiting(end)).toEqual([0]);
  expect(awaiting(at('REBOUGHT').after)).toEqual([]);
});

it('offers the match to whoever waits alone, but for matches begun before that', () => {
  const end = steps('asides').find(({ message }) => message.type === 'DEAL_END')!.after;
  expect(asides(end, 1)).toEqual(['SIT_OUT']);
  const alone: Match = { ...end, rules: end.rules && { ...end.rules, edition: 2 } };
  expect(asides(alone, 1)).toEqual(['SIT_OUT', 'CLAIM']);
  expect(asides(alone, 0)).toEqual(['SIT_OUT', 'REBUY']);
});

it('waits for nobody where the absent ante, as long as anyone is there', () => {
  const end = steps('asides').find(({ message }) => message.type === 'DEAL_END')!.after;
  const seats = (sittingOut: boolean[]): Match => ({
    ...end,
    rules: end.rules && { ...end.rules, rebuy: null, absentAnte: true },
    players: end.players.slice(0, 2).map((player, seat) => ({ ...player, stack: 100, sittingOut: sittingOut[seat] ?? false })),
  });
  expect(awaiting(seats([false, true]))).toEqual([]);
  expect(awaiting(seats([true, true]))).toEqual([0, 1]);
});

it('says where the clock decided', () => {
  const { before, message, after } = steps('mixed').find(({ message }) => message.type === 'FOLD')!;
  expect(told(before, { ...message, timedOut: true } as Event, after, en)).toContain('Out of time.');
  expect(told(before, message, after, en)).not.toContain('Out of time.');
});

it('sitting out does not wind the clock of whoever is asked', () => {
  const { before, after } = steps('asides').find(({ message }) => message.type === 'SAT_OUT')!;
  expect(after.deadline).toBe(before.deadline);
});

it('never knows a down card that was not told', () => {
  for (const { after } of steps('hilo')) {
    if (after.dealFinished) continue;
    after.players.slice(1).forEach((player) => expect(player.down.every((card) => card === null)).toBe(true));
  }
});

import { expect, test } from 'vitest';
import type { Event } from '../../wire/words';
import { beat, empty, fold, mark, told } from './fold';

const step = (more: Partial<Extract<Event, { type: 'step' }>> = {}): Event => ({
  type: 'step',
  position: 1,
  timestamp: 1000,
  lines: [],
  picture: 'a table',
  turn: [0],
  seconds: null,
  options: [],
  asides: [],
  score: null,
  over: false,
  ...more,
});

test('each step replaces the table and adds its lines', () => {
  const first = fold(empty(), step({ lines: ['Ada rolls.'] }));
  const second = fold(first, step({ picture: 'another', lines: ['Ben bids.', 'Ada is asked.'], turn: [1], seconds: 20 }));
  expect(second).toMatchObject({ picture: 'another', turn: [1], lines: ['Ada rolls.', 'Ben bids.', 'Ada is asked.'], fresh: 2, deadline: 21_000 });
  expect(first.deadline).toBeNull();
});

test('a snapshot counts what is left on the clock', () => {
  const snapshot = { ...step({ seconds: 20 }), type: 'snapshot', seconds_left: 7 } as Event;
  expect(fold(empty(), snapshot).deadline).toBe(8000);
});

test('who comes and goes leaves the table as it is', () => {
  const state = fold(empty(), step());
  for (const type of ['presence', 'refusal']) expect(fold(state, { type } as unknown as Event)).toBe(state);
});

test('the lines that are kept are the newest', () => {
  let state = empty();
  for (let nth = 0; nth < 100; nth += 1) state = fold(state, step({ lines: [`line ${nth}`] }));
  expect(state.lines).toHaveLength(60);
  expect(state.lines.at(-1)).toBe('line 99');
});

test('rounds and the end are marked, and only words are waited for', () => {
  const score = (rounds: number) => ({ points: [0, 0], winners: [], rounds });
  const before = fold(empty(), step({ score: score(0) }));
  const next = step({ score: score(1), lines: ['A round.', 'Another'] });
  expect(mark(before, next, fold(before, next))).toBe('markRound');
  expect(mark(before, step({ score: score(0) }), fold(before, step({ score: score(0) })))).toBeNull();
  const end = step({ score: score(1), over: true });
  expect(mark(before, end, fold(before, end))).toBe('markEnd');
  expect(told(before, next)).toBe('A round. Another.');
  expect([beat(next), beat(end)]).toEqual([700, 0]);
  expect(told(before, end)).toBeNull();
});

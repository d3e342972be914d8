// The streams are the golden ones of the rules' own tests: a whole match, told
// to one seat, with the snapshot of its end as the last line.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Card, Event } from '../../wire/koikoi.protocol';
import { empty, fold, of, onField, type Match } from './fold';
import { mark } from './marks';
import { pays, progress } from './score';
import { told } from './told';
import { words } from './words';

const golden = new URL('../../../../games/koikoi/tests/snapshots/wire_protocol__a_whole_match_reads_as_the_protocol.snap', import.meta.url);
const messages = readFileSync(golden, 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('{'))
  .map((line) => JSON.parse(line) as Event);
const end = messages.findIndex((message) => message.event === 'GameSnapshotRestore');
const stream = messages.slice(0, end);
const snapshot = messages[end]!;

const states = stream.reduce<Match[]>((all, message) => [...all, fold(all.at(-1)!, message)], [empty()]);
const after = (name: Event['event'], nth = 0): Match => {
  const found = stream.map((message, at) => (message.event === name ? at : -1)).filter((at) => at >= 0);
  return states[found[nth]! + 1]!;
};
const t = (key: string, values: Record<string, string | number> = {}) =>
  (words.en[key] ?? key).replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));

describe('a stream', () => {
  test('leads to what the snapshot of its end says', () => {
    const compared = (match: Match) => ({
      ...match,
      field: onField(match).sort(),
      sides: match.sides.map((side) => ({ ...side, hand: side.hand?.toSorted(), captured: side.captured.toSorted() })),
      move: null,
      ended: match.ended && { ...match.ended, how: match.ended.how.event },
      finished: match.finished && match.finished.final_scores,
    });
    expect(compared(states.at(-1)!)).toEqual(compared(fold(empty(), snapshot)));
  });

  test('never loses a card', () => {
    for (const match of states.slice(2)) {
      const seen = match.sides.reduce((sum, side) => sum + side.handCount + side.captured.length, match.pile + onField(match).length);
      expect(seen + (match.selection ? 1 : 0)).toBe(48);
    }
  });

  test('shows the hand of its listener and no other', () => {
    const dealt = after('RoundDealt');
    expect(of(dealt, 0).hand).toHaveLength(8);
    expect(of(dealt, 1)).toMatchObject({ hand: null, handCount: 8 });
  });

  test('keeps a card on the field where it lies', () => {
    const before = after('RoundDealt');
    const next = after('TurnCompleted');
    for (const [place, card] of before.field.entries()) {
      if (card && next.field.includes(card)) expect(next.field[place]).toBe(card);
    }
  });

  test('asks for a target where the pile gives a card with two', () => {
    const asked = after('SelectionRequired');
    expect(asked.awaits?.kind).toBe('selection');
    expect(asked.selection?.options).toHaveLength(2);
    expect(after('TurnProgressAfterSelection').selection).toBeNull();
  });

  test('asks for a decision when a yaku is made, and counts the call', () => {
    expect(after('DecisionRequired').decision?.all.length).toBeGreaterThan(0);
    expect(after('DecisionMade').sides.map((side) => side.calls)).toContain(1);
  });

  test('is told in words without a blank left open', () => {
    const lines = stream.map((message, at) => told(states[at]!, message, states[at + 1]!, t)).filter((line) => line !== null);
    expect(lines.length).toBeGreaterThan(20);
    for (const line of lines) expect(line).not.toMatch(/[{}]|undefined|NaN/);
  });

  test('is marked where it deals, scores and dares', () => {
    const marks = stream.map((message, at) => mark(states[at]!, message, states[at + 1]!)).filter((kind) => kind !== null);
    expect(new Set(marks)).toEqual(new Set(['markDeal', 'markYaku', 'markKoiKoi', 'markRoundEnd']));
  });
});

describe('a round pays', () => {
  const dealt = after('RoundDealt');

  test('twice from seven points on, and twice again if the other side called', () => {
    const called: Match = { ...dealt, sides: [dealt.sides[0], { ...dealt.sides[1], calls: 1 }] };
    expect(pays(called, 0, 10)).toEqual({ base: 10, seven: 2, koi: 2, points: 40 });
    expect(pays(dealt, 0, 6)).toEqual({ base: 6, seven: 1, koi: 1, points: 6 });
  });

  test('by the winner’s own calls where the house plays so', () => {
    const own: Match = { ...dealt, rules: { ...dealt.rules!, koi_factor: 'winner_own' } };
    expect(pays(own, 0, 5, { own: 2, theirs: 0 }).koi).toBe(3);
  });
});

test('a yaku is as far as the cards that count for it', () => {
  const rules = after('RoundDealt').rules!;
  const cards: Card[] = ['0111', '0311', '1111', '0131', '0231'];
  const far = Object.fromEntries(progress(cards, rules).map((one) => [one.yaku, one.has]));
  expect(far).toMatchObject({ GOKOU: 3, SHIKOU: 2, AMESHIKOU: 3, SANKOU: 2, AKATAN: 2, AOTAN: 0, KASU: 0 });
});

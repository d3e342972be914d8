import { expect, test } from 'vitest';
import type { Choice } from '../../wire/words';
import { allowed, chosen, moves, pick, settle, spoken } from './fields';

const bid = (quantity: number, face: number): Choice => ({ label: `bid ${quantity} × ${face}`, command: { type: 'BID', quantity, face } });
const challenge: Choice = { label: 'challenge', command: { type: 'CHALLENGE' } };

/** After a bid of two fours with four dice on the table. */
const BIDS = [bid(2, 5), bid(2, 6), ...[3, 4].flatMap((quantity) => [2, 3, 4, 5, 6].map((face) => bid(quantity, face)))];

test('few moves are buttons, in the order of the game', () => {
  const few = [challenge, ...BIDS.slice(0, 8)];
  expect(moves(few)).toEqual({ buttons: few, forms: [] });
  expect(moves([])).toEqual({ buttons: [], forms: [] });
});

test('many moves that differ in numbers are fields, and the others stay buttons', () => {
  const { buttons, forms } = moves([...BIDS, challenge]);
  expect(buttons).toEqual([challenge]);
  expect(forms).toHaveLength(1);
  expect(forms[0]?.fields).toEqual([
    { name: 'quantity', values: [2, 3, 4] },
    { name: 'face', values: [5, 6, 2, 3, 4] },
  ]);
});

test('only what is legal can be chosen, and every legal move can', () => {
  const form = moves(BIDS).forms[0]!;
  const found = new Set<Choice>();
  for (const quantity of allowed(form, [], 0)) {
    const picks = pick(form, settle(form, []), 0, quantity);
    for (const face of allowed(form, picks, 1)) {
      const choice = chosen(form, pick(form, picks, 1, face));
      expect(choice?.command).toEqual({ type: 'BID', quantity, face });
      found.add(choice!);
    }
  }
  expect(found.size).toBe(BIDS.length);
});

test('a field keeps what is still allowed and falls back where it is not', () => {
  const form = moves(BIDS).forms[0]!;
  expect(settle(form, [])).toEqual([2, 5]);
  const three = pick(form, [2, 6], 0, 3);
  expect(three).toEqual([3, 6]);
  expect(pick(form, pick(form, three, 1, 2), 0, 2)).toEqual([2, 5]);
  // The next question allows other bids: what was chosen before is void.
  const later = moves(BIDS.slice(3)).forms[0]!;
  expect(settle(later, [2, 5])).toEqual([3, 5]);
});

test('moves that differ in lists or in too much are buttons', () => {
  const lists = Array.from({ length: 12 }, (_, nth): Choice => ({ label: `lay ${nth}`, command: { type: 'DISCARD', cards: [nth, nth + 1] } }));
  expect(moves(lists)).toEqual({ buttons: lists, forms: [] });
  const wide = Array.from({ length: 12 }, (_, nth): Choice => ({ label: `${nth}`, command: { type: 'X', a: nth, b: nth, c: nth, d: nth } }));
  expect(moves(wide).forms).toEqual([]);
  const uneven = Array.from({ length: 12 }, (_, nth): Choice => ({ label: `${nth}`, command: nth % 2 ? { type: 'X', a: nth } : { type: 'X', b: nth } }));
  expect(moves(uneven).forms).toEqual([]);
});

test('two moves that the fields cannot tell apart are buttons', () => {
  const same = Array.from({ length: 12 }, (_, nth): Choice => ({ label: `${nth}`, command: { type: 'X', a: nth % 6 } }));
  expect(moves(same)).toEqual({ buttons: same, forms: [] });
});

test('what may be null or a word is a field too', () => {
  const votes = ['p1', 'p2', 'p3', 'p4', 'p5', 'p6', 'p7', 'p8', null].map((target): Choice => ({ label: `vote ${target}`, command: { type: 'VOTE', target } }));
  const form = moves(votes).forms[0]!;
  expect(chosen(form, pick(form, settle(form, []), 0, null))?.label).toBe('vote null');
});

test('names of programs are read as words', () => {
  expect([spoken('quantity'), spoken('bidAmount'), spoken('bid_amount')]).toEqual(['Quantity', 'Bid amount', 'Bid amount']);
});

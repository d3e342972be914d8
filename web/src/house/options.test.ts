import { expect, test } from 'vitest';
import { optionKind } from './options';

test('an option is what the house says it may be', () => {
  expect(optionKind('true or false')).toEqual({ kind: 'switch' });
  expect(optionKind('winner or alternate')).toEqual({ kind: 'choice', choices: ['winner', 'alternate'] });
  expect(optionKind('drawn, first or second')).toEqual({ kind: 'choice', choices: ['drawn', 'first', 'second'] });
  expect(optionKind('1 to 99, or null for no limit')).toEqual({ kind: 'number', least: 1, most: 99, mayBeNull: true });
  expect(optionKind('0 for no clock, or 3 to 3600')).toEqual({ kind: 'number', least: 0, most: 3600, mayBeNull: false });
  expect(optionKind('0 for never, or 3 to 3600')).toEqual({ kind: 'number', least: 0, most: 3600, mayBeNull: false });
  expect(optionKind('a multiple of ten, 10 to 1000')).toEqual({ kind: 'number', least: 10, most: 1000, mayBeNull: false });
  expect(optionKind('an object of points (0 to 100) by yaku: GOKOU')).toEqual({ kind: 'other' });
});

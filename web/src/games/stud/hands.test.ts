import { describe, expect, it } from 'vitest';
import { fill, type Words } from '../../words/index.svelte';
import { eightOrBetter, high, inWords, low, named, namedLow } from './hands';
import { words } from './words';

const en: Words = (key, values) => fill(words.en[key] ?? `?${key}`, values);
const cards = (names: string) => names.split(' ');

describe('high hands', () => {
  it.each([
    ['Ks Kd 4s 4c Ah 9d 2c', 'two pair, kings and fours, ace kicker'],
    ['5s 4d 3s 2c Ah Kd Kc', 'straight, five high'],
    ['As Ks Qs Js Ts 2d 2c', 'royal flush'],
    ['9s 8s 7s 6s 5s Ad Ac', 'straight flush, nine high'],
    ['9s 9d 9c 5s 5d 5c 2h', 'full house, nines over fives'],
    ['9s 9d 9c 9h 5d 5c 2h', 'four of a kind, nines, five kicker'],
    ['As 9s 6s 4s 2s Ad Kc', 'flush, ace-nine-six-four-two'],
    ['As Ad 4c', 'pair of aces'],
    ['As Ad 4c 4d', 'two pair, aces and fours'],
    ['As Ad Ac', 'three of a kind, aces'],
    ['As 7d 4c', 'high card, ace-seven-four'],
    ['As', 'high card, ace'],
  ])('%s is %s', (hand, name) => expect(named(high(cards(hand)), en)).toBe(name));
});

describe('low hands', () => {
  it.each([
    ['8s 6d 4s 3c 2h Kd Kc', '8-6-4-3-2 low'],
    ['As Ad 2s 2c Kh Kd 2d', 'two pair, twos and aces, king kicker'],
    ['5s 4s 3s 2s As Kd Kc', '5-4-3-2-A low'],
    ['Ks 7d Ac', 'K-7-A low'],
  ])('%s is %s', (hand, name) => expect(namedLow(low(cards(hand)), en)).toBe(name));

  it('needs five ranks of eight or less to share', () => {
    expect(eightOrBetter(cards('8s 6d 4s 3c 2h Kd Kc'))).not.toBeNull();
    expect(eightOrBetter(cards('9s 6d 4s 3c 2h Kd Kc'))).toBeNull();
    expect(eightOrBetter(cards('6d 4s 3c 2h'))).toBeNull();
  });
});

it('names both halves of a hi-lo hand', () => {
  expect(inWords(cards('8s 6d 4s 3c 2h Kd Kc'), 'stud8', en)).toBe('pair of kings, eight-six-four kickers; 8-6-4-3-2 low');
});

it('says everything in every language', () => {
  for (const lang of ['zh', 'ja', 'de'] as const) {
    for (const [key, text] of Object.entries(words.en)) {
      const slots = (of: string) => [...of.matchAll(/\{\w+\}/g)].map(String).sort();
      expect([key, slots(words[lang][key] ?? '')]).toEqual([key, slots(text)]);
    }
  }
});

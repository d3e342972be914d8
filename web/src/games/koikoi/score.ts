// What a round pays, with its arithmetic, and how far each yaku is.

import type { Card, Ruleset, Yaku } from '../../wire/koikoi.protocol';
import { classOf } from './cards';
import { of, other, type Match } from './fold';

export interface Pay {
  base: number;
  seven: number;
  koi: number;
  points: number;
}

/** What `seat` is paid if it stops now with `base` points; `more` calls of each side are assumed on top. */
export function pays(match: Match, seat: number, base: number, more: { own: number; theirs: number } = { own: 0, theirs: 0 }): Pay {
  const { rules } = match;
  const own = of(match, seat).calls + more.own;
  const theirs = of(match, other(seat)).calls + more.theirs;
  const seven = rules?.seven_point_double && base >= 7 ? 2 : 1;
  const koi = rules ? koiFactor(rules, own, theirs) : 1;
  return { base, seven, koi, points: base * seven * koi };
}

function koiFactor(rules: Ruleset, own: number, theirs: number): number {
  if (rules.koi_factor === 'winner_own') return own + 1;
  const called = rules.koi_factor === 'any_called' ? own + theirs : theirs;
  return called > 0 ? rules.koi_koi_multiplier : 1;
}

/** `5 × 2 × 2 = 20`, or the number alone. */
export function arithmetic({ base, seven, koi, points }: Pay): string {
  const factors = [seven, koi].filter((factor) => factor > 1);
  return factors.length > 0 ? `${[base, ...factors].join(' × ')} = ${points}` : String(points);
}

interface Progress {
  yaku: Yaku;
  has: number;
  needs: number;
}

const RAIN: Card = '1111';
const dry = (cards: Card[]) => cards.filter((card) => classOf(card) === 'bright' && card !== RAIN).length;
const some = (...set: Card[]) => (cards: Card[]) => set.filter((card) => cards.includes(card)).length;
const count = (kind: string) => (cards: Card[]) => cards.filter((card) => classOf(card) === kind).length;

const WANTED: [Yaku, number, (cards: Card[]) => number][] = [
  ['GOKOU', 5, count('bright')],
  ['SHIKOU', 4, dry],
  ['AMESHIKOU', 4, (cards) => some(RAIN)(cards) + Math.min(3, dry(cards))],
  ['SANKOU', 3, dry],
  ['INOSHIKACHOU', 3, some('0621', '0721', '1021')],
  ['AKATAN', 3, some('0131', '0231', '0331')],
  ['AOTAN', 3, some('0631', '0931', '1031')],
  ['HANAMI_ZAKE', 2, some('0311', '0921')],
  ['TSUKIMI_ZAKE', 2, some('0811', '0921')],
  ['TANE', 5, count('animal')],
  ['TANZAKU', 5, count('ribbon')],
  ['KASU', 10, count('plain')],
];

/** Every yaku this table plays, and how far these captures are. */
export function progress(captured: Card[], rules: Ruleset): Progress[] {
  const played = WANTED.filter(([yaku]) => (rules.yaku[yaku] ?? 0) > 0);
  return played.map(([yaku, needs, has]) => {
    const cup = yaku === 'KASU' && rules.sake_cup_is_also_plain ? some('0921')(captured) : 0;
    return { yaku, needs, has: Math.min(needs, has(captured) + cup) };
  });
}

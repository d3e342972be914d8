// What a hand melds. The house computes what counts; this is the hint beside
// the choice of a trump, and what one lays out.

import type { Meld, Rules } from '../../wire/binokel.events';
import { rankOf, SUITS, suitOf, type CardId, type MeldKind, type Rank, type Suit } from './cards';

const FAMILY: readonly Rank[] = ['buabe', 'ober', 'koenig', '10', 'ass'];
const COUPLE: readonly Rank[] = ['koenig', 'ober'];
const ALIKE: readonly { rank: Rank; four: MeldKind; eight: MeldKind; points: [four: number, eight: number] }[] = [
  { rank: 'ass', four: 'vier-ass', eight: 'acht-ass', points: [100, 1000] },
  { rank: 'koenig', four: 'vier-koenig', eight: 'acht-koenig', points: [80, 600] },
  { rank: 'ober', four: 'vier-ober', eight: 'acht-ober', points: [60, 400] },
  { rank: 'buabe', four: 'vier-unter', eight: 'acht-unter', points: [40, 200] },
];

/** The rules that say what is a meld; before they are known, the usual ones. */
export type MeldRules = Pick<Rules, 'acht_gleiche' | 'doppel_familie' | 'trump_sieben'> | null;

/** The melds of these cards, suit by suit, trump sevens, then Binokel, then fours. */
export function melds(cards: readonly CardId[], trump: Suit, rules: MeldRules): Meld[] {
  const hold = (suit: Suit, rank: Rank) => cards.filter((card) => suitOf(card) === suit && rankOf(card) === rank).sort();
  return [
    ...SUITS.flatMap((suit) => inSuit(hold, suit, suit === trump, rules?.doppel_familie ?? false)),
    ...(rules?.trump_sieben ? hold(trump, '7').map((card): Meld => ({ type: 'trump-sieben', cards: [card], points: 10, suit: trump })) : []),
    ...binokel(hold),
    ...alike(hold, rules?.acht_gleiche ?? false),
  ];
}

export const worth = (cards: readonly CardId[], trump: Suit, rules: MeldRules): number =>
  melds(cards, trump, rules).reduce((sum, meld) => sum + meld.points, 0);

type Hold = (suit: Suit, rank: Rank) => CardId[];

/** The king and ober of a family make no pair of their own; a spare second king and ober do. */
function inSuit(hold: Hold, suit: Suit, isTrump: boolean, isDoubled: boolean): Meld[] {
  const sets = (ranks: readonly Rank[]) => Math.min(...ranks.map((rank) => hold(suit, rank).length));
  const families = sets(FAMILY);
  if (isDoubled && families === 2) return [{ type: 'doppel-familie', cards: FAMILY.flatMap((rank) => hold(suit, rank)), points: 1500, suit }];
  return Array.from({ length: sets(COUPLE) }, (_, nth): Meld => {
    const isFamily = nth < families;
    const cards = (isFamily ? FAMILY : COUPLE).flatMap((rank) => hold(suit, rank)[nth] ?? []);
    const points = isFamily ? (isTrump ? 150 : 100) : isTrump ? 40 : 20;
    return { type: isFamily ? 'familie' : 'paar', cards, points, suit };
  });
}

function binokel(hold: Hold): Meld[] {
  const [obers, buaben] = [hold('schippe', 'ober'), hold('bollen', 'buabe')];
  if (obers.length === 2 && buaben.length === 2) return [{ type: 'doppel-binokel', cards: [...obers, ...buaben], points: 300 }];
  const [ober, buabe] = [obers[0], buaben[0]];
  return ober && buabe ? [{ type: 'binokel', cards: [ober, buabe], points: 40 }] : [];
}

function alike(hold: Hold, hasEights: boolean): Meld[] {
  return ALIKE.flatMap(({ rank, four, eight, points }): Meld[] => {
    const held = SUITS.map((suit) => hold(suit, rank));
    const rows = Math.min(...held.map((cards) => cards.length));
    if (rows === 2 && hasEights) return [{ type: eight, cards: held.flat(), points: points[1] }];
    return Array.from({ length: rows }, (_, nth) => ({ type: four, cards: held.flatMap((cards) => cards[nth] ?? []), points: points[0] }));
  });
}

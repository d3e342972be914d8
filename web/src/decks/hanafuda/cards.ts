// The 48 cards of Hanafuda as Koi-Koi names them: month, class, running number.

export type Class = 'bright' | 'animal' | 'ribbon' | 'plain';

const CLASSES: readonly Class[] = ['bright', 'animal', 'ribbon', 'plain'];

/** How many cards of each class a month has: bright, animal, ribbon, plain. */
const MONTHS: readonly (readonly [number, number, number, number])[] = [
  [1, 0, 1, 2], [0, 1, 1, 2], [1, 0, 1, 2], [0, 1, 1, 2],
  [0, 1, 1, 2], [0, 1, 1, 2], [0, 1, 1, 2], [1, 1, 0, 2],
  [0, 1, 1, 2], [0, 1, 1, 2], [1, 1, 1, 1], [1, 0, 0, 3],
];

/** All card ids, month by month, the highest class first. */
export const DECK: readonly string[] = MONTHS.flatMap((counts, month) =>
  counts.flatMap((count, index) =>
    Array.from({ length: count }, (_, n) => `${String(month + 1).padStart(2, '0')}${index + 1}${n + 1}`),
  ),
);

export function monthOf(id: string): number {
  return Number(id.slice(0, 2));
}

export function classOf(id: string): Class {
  return CLASSES[Number(id[2]) - 1] ?? 'plain';
}

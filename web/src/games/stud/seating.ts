// Where the seats are around the oval. The viewer sits at the lower edge; the
// others follow clockwise, from the viewer's left.

export interface Spot {
  /** The middle of the seat, in percent of the cloth. */
  x: number;
  y: number;
  /** Where its bet lies, between the seat and the pot. */
  betX: number;
  betY: number;
}

type Places = readonly (readonly [number, number])[];

/** Wide cloth: an oval that lies. */
const WIDE: Record<number, Places> = {
  1: [[50, 15]],
  2: [[20, 22], [80, 22]],
  3: [[12, 46], [50, 15], [88, 46]],
  4: [[11, 58], [28, 15], [72, 15], [89, 58]],
  5: [[11, 64], [15, 22], [50, 15], [85, 22], [89, 64]],
  6: [[11, 80], [10, 42], [31, 15], [69, 15], [90, 42], [89, 80]],
};

/** Narrow cloth: an oval that stands. */
const TALL: Record<number, Places> = {
  1: [[50, 14]],
  2: [[22, 20], [78, 20]],
  3: [[18, 55], [50, 13], [82, 55]],
  4: [[18, 66], [22, 18], [78, 18], [82, 66]],
  5: [[18, 76], [18, 42], [50, 11], [82, 42], [82, 76]],
  6: [[18, 82], [18, 48], [22, 13], [78, 13], [82, 48], [82, 82]],
};

/** How far from the seat towards the pot a bet lies. */
const IN_BETWEEN = { wide: 0.46, tall: 0.55 };

export function spot(seat: number, viewer: number, seats: number, shape: 'wide' | 'tall'): Spot {
  const nth = (seat - viewer + seats) % seats;
  const [x, y] = nth === 0 ? [50, 104] : ((shape === 'wide' ? WIDE : TALL)[seats - 1]?.[nth - 1] ?? [50, 15]);
  const share = nth === 0 ? 0.26 : IN_BETWEEN[shape];
  return { x, y, betX: x + (50 - x) * share, betY: y + (52 - y) * share };
}

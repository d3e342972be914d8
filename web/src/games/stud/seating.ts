// Where the seats are around the oval. The viewer sits at the lower edge; the
// others follow clockwise, from the viewer's left.

export interface Spot {
  /** In percent of the cloth: at 0 a seat touches the left or upper edge, at 100 the other. */
  x: number;
  y: number;
  /** Where the middle of its bet lies, between the seat and the pot. */
  betX: number;
  betY: number;
}

export type Shape = 'wide' | 'tall';
type Places = readonly (readonly [number, number])[];

const PLACES: Record<Shape, Record<number, Places>> = {
  wide: {
    1: [[50, 0]],
    2: [[18, 6], [82, 6]],
    3: [[0, 44], [50, 0], [100, 44]],
    4: [[0, 64], [20, 2], [80, 2], [100, 64]],
    5: [[0, 74], [15, 8], [50, 0], [85, 8], [100, 74]],
    6: [[2, 92], [0, 34], [30, 0], [70, 0], [100, 34], [98, 92]],
  },
  tall: {
    1: [[50, 0]],
    2: [[6, 4], [94, 4]],
    3: [[0, 50], [50, 0], [100, 50]],
    4: [[0, 78], [4, 12], [96, 12], [100, 78]],
    5: [[0, 98], [0, 50], [50, 0], [100, 50], [100, 98]],
    6: [[0, 96], [0, 52], [4, 6], [96, 6], [100, 52], [100, 96]],
  },
};

/** Half of what a seat takes, and how far from it towards the pot a bet lies. */
const SEAT: Record<Shape, { halfWidth: number; halfHeight: number; share: number }> = {
  wide: { halfWidth: 8, halfHeight: 15, share: 0.44 },
  tall: { halfWidth: 16, halfHeight: 15, share: 0.56 },
};

/** Seats at the far side have their cards below the plate: in front of them. */
export const isFar = ({ y }: Spot): boolean => y < 30;

export function spot(seat: number, viewer: number, seats: number, shape: Shape): Spot {
  const nth = (seat - viewer + seats) % seats;
  if (nth === 0) return { x: 50, y: 100, betX: 50, betY: 90 };
  const [x, y] = PLACES[shape][seats - 1]?.[nth - 1] ?? [50, 0];
  const { halfWidth, halfHeight, share } = SEAT[shape];
  const [middleX, middleY] = [halfWidth + (x / 100) * (100 - 2 * halfWidth), halfHeight + (y / 100) * (100 - 2 * halfHeight)];
  return { x, y, betX: middleX + (50 - middleX) * share, betY: middleY + (54 - middleY) * share };
}

// Where seats are around the table, as seen from its lower edge.

const COMPASS: Record<number, readonly string[]> = {
  2: ['south', 'north'],
  3: ['south', 'west', 'east'],
  4: ['south', 'west', 'north', 'east'],
};

export function compassOf(seat: number, lower: number, players: number): string {
  return COMPASS[players]?.[(seat - lower + players) % players] ?? 'south';
}

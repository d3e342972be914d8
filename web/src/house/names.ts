// Names for bots that sit together: a table of seven called “bayes” tells
// nobody who said what.

import type { SeatOrder } from './api';

const NAMES = [
  'Ada', 'Bruno', 'Chiyo', 'Dario', 'Edda', 'Felix', 'Greta', 'Hugo', 'Ines', 'Jun', 'Klara', 'Leo', 'Mei', 'Nils', 'Olga', 'Paul', 'Rosa', 'Sora', 'Tilda', 'Vito',
];

/** Gives every bot without a name one that nobody else has; a lone bot keeps its own. */
export function named(seats: SeatOrder[]): SeatOrder[] {
  if (seats.filter((seat) => seat.kind === 'bot').length < 2) return seats;
  const taken = new Set(seats.map((seat) => seat.name?.toLowerCase()));
  const free = NAMES.filter((name) => !taken.has(name.toLowerCase()));
  return seats.map((seat) => (seat.kind === 'bot' && !seat.name ? { ...seat, name: free.shift() } : seat));
}

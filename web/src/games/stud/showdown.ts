// Which cards of a shown hand made what it won with.

import type { Card, Pot } from '../../wire/stud.events';
import { called } from './hands';
import type { Match } from './match';

/** The cards that count in a hand that was shown; null while nothing is shown. */
export function best(match: Match, seat: number): Card[] | null {
  const { ended } = match;
  const shown = match.dealFinished ? ended?.shown.find((one) => one.seat === seat) : undefined;
  if (!ended || !shown) return null;
  const { high, low } = called(shown.cards, ended.variant);
  const isIn = (seats: (pot: Pot) => number[]) => ended.pots.some((pot) => pot.seats.length > 1 && seats(pot).includes(seat));
  // A hand that wins only as a low is outlined as that; any other as its high.
  if (low && (!high || (isIn((pot) => pot.low) && !isIn((pot) => pot.high)))) return low.cards;
  return high?.cards ?? null;
}

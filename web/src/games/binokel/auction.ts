// Who speaks next in the bidding.

import type { Bidding } from '../../wire/binokel.events';

export interface Auction {
  opener: number;
  /** The highest bid and whose it is. */
  highest: { seat: number; amount: number } | null;
  passed: readonly number[];
}

/** The next to speak after `seat` bid or passed, or null when the bidding is over. */
export function speaksNext(before: Auction, after: Auction, seat: number, players: number, order: Bidding): number | null {
  const hasPassed = after.passed.includes(seat);
  if (order === 'round_robin') {
    const around = Array.from({ length: players - 1 }, (_, nth) => (seat + nth + 1) % players);
    const next = around.find((other) => !after.passed.includes(other)) ?? null;
    return hasPassed && next === after.highest?.seat ? null : next;
  }
  // A duel: whoever was outbid answers; after a pass the next seat challenges.
  if (!hasPassed && before.highest) return before.highest.seat;
  const asked = new Set([...before.passed, seat, ...(before.highest ? [before.highest.seat] : [])]).size;
  return asked < players ? (before.opener + asked) % players : null;
}

export const HIGHEST_BID = 10_000;

export const leastBid = (auction: Auction, minimum: number): number => (auction.highest ? auction.highest.amount + 10 : minimum);

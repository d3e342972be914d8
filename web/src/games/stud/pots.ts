// The pots as they lie in the middle, before the bets of this street come in.

import type { Match } from './match';

export interface Heap {
  amount: number;
  /** Who plays for it. */
  seats: number[];
}

/** Side pots by commitment; what lies in front of the seats is not in yet. */
export function heaps(match: Match): Heap[] {
  if (match.dealFinished && match.ended) return match.ended.pots;
  const inMiddle = match.players.map((player) => player.committedTotal - player.committedThisStreet);
  const live = match.players.flatMap((player, seat) => (player.active ? [seat] : []));
  const levels = [...new Set(live.map((seat) => inMiddle[seat] ?? 0))].sort((one, other) => one - other);
  const found: Heap[] = [];
  let below = 0;
  for (const level of levels) {
    const isTop = level === levels.at(-1);
    // Chips of folded seats stay in, also those above what the living have paid.
    const amount = inMiddle.reduce((sum, chips) => sum + Math.max(0, (isTop ? chips : Math.min(chips, level)) - below), 0);
    if (amount > 0) found.push({ amount, seats: live.filter((seat) => (inMiddle[seat] ?? 0) >= level) });
    below = level;
  }
  return found;
}

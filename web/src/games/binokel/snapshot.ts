// Where things stand, taken over whole. Of the rounds before, the snapshot
// knows only the last.

import type { Round, SideScore, SNAPSHOT } from '../../wire/binokel.events';
import { seen, type CardId } from './cards';
import { each, empty, holding, newcomer, type Entry, type Game, type Phase, type Player } from './game';

export function restored({ payload, timestamp }: SNAPSHOT): Game {
  const { table, round } = payload;
  if (!table || !round) return empty();
  const highest = round.bidder !== null && round.bid !== null ? { seat: round.bidder, amount: round.bid } : null;
  const [tricks, taken] = [each(round.tricks), each(round.tricksPoints)];
  const players = table.players.map(({ nickname, isAI }, seat): Player => {
    const melded = round.melds[seat] ?? null;
    return {
      ...newcomer(nickname, isAI),
      hand: holding(round.hands[seat] ?? []),
      call: round.passed.includes(seat) ? 'pass' : highest?.seat === seat ? highest.amount : null,
      melded: melded && { melds: melded.melds, points: melded.totalPoints },
      tricks: tricks[seat] ?? 0,
      taken: taken[seat] ?? 0,
    };
  });
  const last = round.lastTrick;
  const totals = each(payload.totalScores);
  return {
    ...empty(),
    rules: table.rules,
    players,
    round: round.round,
    dealer: round.dealer,
    phase: phase(payload.phase, round),
    awaits: round.awaiting,
    auction: { opener: (round.dealer + 1) % players.length, highest, passed: round.passed },
    dabb: round.dabb.map(seen),
    laidAway: round.discardedCards.map(seen),
    trump: round.trump,
    special: round.special,
    isGoingOut: round.goingOut,
    trick: played(round.trick),
    lastTrick: last && { ...played(last), winner: last.winnerIndex ?? last.leaderIndex, points: null },
    sheet: payload.lastRound ? [entry(each<SideScore>(payload.lastRound.scores), each(payload.lastRound.totalScores), round)] : [],
    totals,
    deadline: payload.secondsLeft === null ? null : timestamp + payload.secondsLeft * 1000,
    finished: payload.finished,
    terminated: payload.terminated,
  };
}

/** The wire calls both halves of the dabb phase by one name; the dabb lies there only in the first. */
function phase(name: string, round: Round): Phase {
  if (name === 'dabb') return round.dabb.length > 0 ? 'takingDabb' : 'layingAway';
  if (name === 'trump') return 'namingTrump';
  return name === 'scoring' ? 'scored' : (name as Phase);
}

const played = (trick: Round['trick']) => ({
  leader: trick.leaderIndex,
  cards: trick.cards.map(({ playerIndex, card }) => ({ seat: playerIndex, card: card.id as CardId })),
});

/** A line of the sheet whose bid is gone with its round, unless that is the one still on the table. */
function entry(scores: SideScore[], totals: number[], round: Round): Entry {
  const isThis = round.awaiting.length === 0;
  return {
    round: isThis ? round.round : round.round - 1,
    declarer: isThis ? round.bidder : null,
    bid: isThis ? (round.bid ?? 0) : 0,
    wentOut: isThis && round.goingOut,
    special: isThis ? round.special : null,
    voids: [],
    scores,
    totals,
  };
}

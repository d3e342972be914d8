// The town from a snapshot: what the fold would have made of the whole stream.

import type { Event } from '../../wire/mafia.events';
import { counted, turnOf } from './fold';
import { distinct, empty, living, maybe, seatOf, type Night, type Town } from './town';

type Snapshot = Extract<Event, { eventType: 'SNAPSHOT' }>;

export function restored(message: Snapshot): Town {
  const known = message.payload;
  const town: Town = {
    ...empty(),
    rules: known.rules,
    players: distinct(known.players).map((player) => ({
      name: player.name,
      isAlive: player.alive,
      role: player.role ?? null,
      team: player.team ?? null,
      death: player.eliminatedBy ? { by: player.eliminatedBy, round: player.eliminatedInRound ?? 0 } : null,
    })),
    stage: known.phase,
    day: known.dayNumber,
    round: known.roundNumber,
    isPaused: known.paused,
    speaker: maybe(known.speakerId),
    acted: known.tonight.map((one) => seatOf(one.agentId)),
    tonight: known.tonight
      .filter((one) => one.actionType !== null)
      .map((one) => ({ seat: seatOf(one.agentId), action: one.actionType, target: maybe(one.targetId) })),
    results: known.results.map(counted),
    lines: known.transcript.map((line) => {
      const kind = line.turnId.startsWith('think') ? ('think' as const) : ('say' as const);
      const turn = turnOf(line.turnId);
      const isWhispered = kind === 'say' && turn.occasion === 'night';
      return { turn: line.turnId, seat: seatOf(line.agentId), kind, isWhispered, ...turn, chunks: [line.text], isFinal: true };
    }),
    degraded: (known.degraded ?? []).map(seatOf),
    deadline: secondsLeft(message) === null ? null : message.timestamp + (secondsLeft(message) ?? 0) * 1000,
    end: known.phase === 'END' ? { winner: known.winner, calledOff: null } : null,
  };
  return floor({ ...town, nights: nights(known), ballot: ballot(town, known) });
}

function secondsLeft(message: Snapshot): number | null {
  return 'secondsLeft' in message && typeof message.secondsLeft === 'number' ? message.secondsLeft : null;
}

function nights(known: Snapshot['payload']): Night[] {
  const number = (nth: number) => nth + 1;
  return Array.from({ length: known.dayNumber }, (_, nth) => {
    const killed = known.players.find((one) => one.eliminatedBy === 'night_kill' && one.eliminatedInRound === 2 * number(nth) - 1);
    const found = known.investigations.find((one) => one.nightNumber === number(nth));
    return {
      number: number(nth),
      killed: maybe(killed?.playerId),
      isSave: known.saves.includes(number(nth)),
      guarded: maybe(known.protections.find((one) => one.nightNumber === number(nth))?.targetId),
      found: found ? { target: seatOf(found.targetId), isMafia: found.isMafia } : null,
    };
  });
}

function ballot(town: Town, known: Snapshot['payload']): Town['ballot'] {
  if (town.stage !== 'DAY_VOTING') return null;
  const last = town.results.at(-1);
  const candidates = known.ballot > 1 && last?.round === town.round ? last.runoff : living(town);
  const votes = known.votes.map((vote) => ({ seat: seatOf(vote.voterId), target: maybe(vote.targetId) }));
  return { number: known.ballot, candidates, votes };
}

/** Who has had the floor today, from what was said. A statement under way belongs to the speaker. */
function floor(town: Town): Town {
  if (town.stage !== 'DAY_DISCUSSION') return town;
  const said = town.lines.filter((line) => line.kind === 'say' && line.occasion === 'day' && line.number === town.day);
  const open = said.at(-1)?.seat === town.speaker && town.speaker !== null ? said.at(-1) : undefined;
  const done = said.filter((line) => line !== open).length;
  const alive = living(town).length || 1;
  const isBidding = town.rules?.speakingOrder === 'bidding';
  return {
    ...town,
    pass: isBidding ? done + 1 : Math.floor(done / alive) + 1,
    spoken: isBidding ? [] : said.slice(done - (done % alive), done).map((line) => line.seat),
    lines: town.lines.map((line) => (line === open ? { ...line, isFinal: false } : line)),
  };
}

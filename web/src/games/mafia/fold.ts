// The town as the messages of `mafia.events` make it, one after the other.

import type { Event } from '../../wire/mafia.events';
import { restored } from './restored';
import { distinct, empty, living, maybe, seatOf, teamOf, type Choice, type Line, type Occasion, type Player, type Result, type Town } from './town';

type Payload<Type extends Event['eventType']> = Extract<Event, { eventType: Type }>['payload'];

export function fold(town: Town, message: Event): Town {
  // The house also remarks who comes and goes; that is no event of the dialect.
  if (!('eventType' in message)) return town;
  switch (message.eventType) {
    case 'COMMAND_REFUSED':
      return town;
    case 'SNAPSHOT':
      return restored(message);
    default: {
      const next = happened(town, message);
      // Every step gives those awaited their whole time again.
      return { ...next, deadline: deadline(next, message.timestamp) };
    }
  }
}

type Happening = Exclude<Event, { eventType: 'COMMAND_REFUSED' | 'SNAPSHOT' }>;

function happened(town: Town, message: Happening): Town {
  switch (message.eventType) {
    case 'GAME_CREATED':
      return {
        ...empty(),
        rules: message.payload.rules,
        players: distinct(message.payload.initialRoles).map(({ name, role }) => settled(name, role ?? null)),
      };
    case 'PHASE_CHANGED':
      return entered(town, message.payload);
    case 'NIGHT_ACTION_SUBMITTED': {
      const { agentId, actionType, targetId } = message.payload;
      const choice = { seat: seatOf(agentId), action: actionType, target: maybe(targetId) };
      return { ...town, acted: joined(town.acted, choice.seat), tonight: chosen(town.tonight, choice) };
    }
    case 'NIGHT_ACKNOWLEDGED':
      return { ...town, acted: joined(town.acted, seatOf(message.payload.agentId)) };
    case 'NIGHT_RESOLVED': {
      const { nightNumber, killedPlayerId, protectedPlayerId, protectionPreventsKill, investigationResult: found } = message.payload;
      const night = {
        number: nightNumber,
        killed: maybe(killedPlayerId),
        isSave: protectionPreventsKill,
        guarded: maybe(protectedPlayerId),
        found: found && { target: seatOf(found.targetId), isMafia: found.isMafia },
      };
      return { ...town, nights: [...town.nights, night], acted: [], tonight: [] };
    }
    case 'AGENT_THINK_STREAM':
      return { ...town, lines: spoken(town.lines, message.payload, 'think') };
    case 'AGENT_SAY_STREAM':
      return heard({ ...town, lines: spoken(town.lines, message.payload, 'say') }, message.payload);
    case 'FLOOR_BID':
      return { ...town, bidders: joined(town.bidders, seatOf(message.payload.agentId)) };
    case 'FLOOR_GIVEN':
      return { ...town, speaker: seatOf(message.payload.agentId), pass: message.payload.turn, bidders: [] };
    case 'VOTE_CAST': {
      if (!town.ballot) return town;
      const vote = { seat: seatOf(message.payload.voterId), target: maybe(message.payload.targetId) };
      return { ...town, ballot: { ...town.ballot, votes: chosen(town.ballot.votes, vote) } };
    }
    case 'VOTE_RESULT': {
      const result = counted(message.payload);
      const next = { ...town, results: [...town.results, result] };
      if (result.runoff.length === 0) return { ...next, ballot: null };
      return { ...next, ballot: { number: result.ballot + 1, candidates: result.runoff, votes: [] } };
    }
    case 'PLAYER_ELIMINATED': {
      const { playerId, role, team, eliminatedBy, roundNumber } = message.payload;
      return alter(town, seatOf(playerId), (player) => ({
        ...player,
        isAlive: false,
        role: role ?? player.role,
        team: team ?? player.team,
        death: { by: eliminatedBy, round: roundNumber },
      }));
    }
    case 'GAME_ENDED': {
      const { winner, roles, calledOff } = message.payload;
      const next = roles.reduce(
        (before, { playerId, role }) => alter(before, seatOf(playerId), (player) => ({ ...player, role, team: teamOf(role) })),
        town,
      );
      return { ...next, stage: 'END', isPaused: false, speaker: null, end: { winner, calledOff: calledOff ?? null } };
    }
    case 'AGENT_FAULT':
      return message.payload.degraded ? { ...town, degraded: joined(town.degraded, seatOf(message.payload.agentId)) } : town;
    case 'GAME_PAUSED':
    case 'GAME_RESUMED':
      return { ...town, isPaused: message.eventType === 'GAME_PAUSED' };
    case 'AGENT_ASSIGNED':
    case 'AGENT_USAGE':
      return town;
  }
}

const settled = (name: string, role: Player['role']): Player => ({ name, isAlive: true, role, team: role && teamOf(role), death: null });

const joined = (seats: number[], seat: number): number[] => (seats.includes(seat) ? seats : [...seats, seat]);

/** The last choice of a seat counts. */
const chosen = <T extends Choice>(choices: T[], choice: T): T[] => [...choices.filter((one) => one.seat !== choice.seat), choice];

const alter = (town: Town, seat: number, change: (player: Player) => Player): Town => ({
  ...town,
  players: town.players.map((player, at) => (at === seat ? change(player) : player)),
});

function entered(town: Town, { to, dayNumber, roundNumber }: Payload<'PHASE_CHANGED'>): Town {
  const next: Town = { ...town, stage: to, day: dayNumber, round: roundNumber, speaker: null };
  switch (to) {
    case 'NIGHT_ACTIONS':
      return { ...next, acted: [], tonight: [], ballot: null };
    case 'DAY_DISCUSSION':
      return nextSpeaker({ ...next, pass: 1, spoken: [], bidders: [] });
    case 'DAY_VOTING':
      return { ...next, bidders: [], ballot: { number: 1, candidates: living(town), votes: [] } };
    default:
      return next;
  }
}

/** Day d starts at seat index 2·(d − 1) mod n, then around the circle. */
function nextSpeaker(town: Town): Town {
  const { rules, players, day, pass } = town;
  if (!rules || rules.speakingOrder === 'bidding' || pass > rules.discussionRounds) return { ...town, speaker: null };
  const first = (2 * Math.max(0, day - 1)) % players.length;
  const waiting = living(town).filter((seat) => !town.spoken.includes(seat));
  return { ...town, speaker: waiting.find((seat) => seat >= first) ?? waiting[0] ?? null };
}

/** A statement that ends passes the floor on. */
function heard(town: Town, { agentId, channel, final }: Payload<'AGENT_SAY_STREAM'>): Town {
  if (channel === 'mafia' || !final) return town;
  if (town.rules?.speakingOrder === 'bidding') return { ...town, pass: town.pass + 1, speaker: null, bidders: [] };
  const spoken = joined(town.spoken, seatOf(agentId));
  const isRound = living(town).every((seat) => spoken.includes(seat));
  return nextSpeaker(isRound ? { ...town, spoken: [], pass: town.pass + 1 } : { ...town, spoken });
}

export function turnOf(turn: string): { occasion: Occasion; number: number } {
  const [, occasion = 'day', number = '1'] = turn.split('-');
  return { occasion: occasion as Occasion, number: Number(number) };
}

function spoken(lines: Line[], chunk: Payload<'AGENT_SAY_STREAM'>, kind: Line['kind']): Line[] {
  const at = lines.findLastIndex((line) => line.turn === chunk.turnId);
  const before = lines[at];
  if (before) return lines.with(at, { ...before, chunks: [...before.chunks, chunk.chunk], isFinal: chunk.final });
  const isWhispered = kind === 'say' && chunk.channel === 'mafia';
  const seat = seatOf(chunk.agentId);
  return [...lines, { turn: chunk.turnId, seat, kind, isWhispered, ...turnOf(chunk.turnId), chunks: [chunk.chunk], isFinal: chunk.final }];
}

export function counted(result: Payload<'VOTE_RESULT'>): Result {
  return {
    round: result.roundNumber,
    ballot: result.ballot,
    votes: result.votes.map((vote) => ({ seat: seatOf(vote.voterId), target: maybe(vote.targetId) })),
    out: maybe(result.eliminatedPlayerId),
    isTie: result.tie,
    runoff: (result.runoff ?? []).map(seatOf),
  };
}

function deadline(town: Town, now: number): number | null {
  if (!town.rules || town.isPaused) return null;
  const { nightSeconds, turnSeconds, voteSeconds } = town.rules;
  const seconds = { NIGHT_ACTIONS: nightSeconds, DAY_DISCUSSION: turnSeconds, DAY_VOTING: voteSeconds }[town.stage as string] ?? 0;
  return seconds > 0 ? now + seconds * 1000 : null;
}

/** The seats that are waited for, as far as the viewer can know. */
export function awaiting(town: Town): number[] {
  if (town.isPaused) return [];
  const alive = living(town);
  switch (town.stage) {
    case 'NIGHT_ACTIONS':
      return alive.filter((seat) => {
        const role = town.players[seat]?.role;
        return role && (role !== 'villager' || town.rules?.acknowledge) && !town.acted.includes(seat);
      });
    case 'DAY_DISCUSSION':
      return town.speaker !== null ? [town.speaker] : alive.filter((seat) => !town.bidders.includes(seat));
    case 'DAY_VOTING':
      return alive.filter((seat) => !town.ballot?.votes.some((vote) => vote.seat === seat));
    default:
      return [];
  }
}

export const isOver = (town: Town): boolean => town.end !== null;

/** What a death or a count needs to be taken in before the next follows. */
export function beat(message: Event): number {
  switch (message.eventType) {
    case 'PLAYER_ELIMINATED':
      return 1600;
    case 'VOTE_RESULT':
    case 'NIGHT_RESOLVED':
      return 1200;
    case 'AGENT_SAY_STREAM':
      return message.payload.final ? 500 : 60;
    case 'PHASE_CHANGED':
      return message.payload.to === 'NIGHT_ACTIONS' || message.payload.to === 'DAY_VOTING' ? 500 : 0;
    case 'VOTE_CAST':
      return 120;
    default:
      return 0;
  }
}

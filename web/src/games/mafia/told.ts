// What happens in the town, as sentences.

import type { Event } from '../../wire/mafia.events';
import type { Words } from '../../words/index.svelte';
import { nameOf, seatOf, tally, textOf, type Night, type Player, type Result, type Town } from './town';

/** What the town learned of the dead. */
export function toldFlip(player: Player, t: Words): string {
  if (player.role) return t('wasRole', { who: player.name, role: t(`a-${player.role}`) });
  if (player.team) return t(player.team === 'mafia' ? 'wasMafiaSide' : 'wasTownSide', { who: player.name });
  return t('staysHidden', { who: player.name });
}

export function toldDawn(night: Night, town: Town, t: Words): string {
  if (night.killed !== null) return t('toldKilled', { who: nameOf(town, night.killed) });
  return t(night.isSave ? 'toldSaved' : 'toldQuiet');
}

/** What only some learn of a night. */
export function toldSecrets(night: Night, town: Town, t: Words): string[] {
  const secrets = [];
  if (night.guarded !== null) secrets.push(t('toldGuarded', { target: nameOf(town, night.guarded) }));
  if (night.found) {
    secrets.push(t(night.found.isMafia ? 'toldFoundMafia' : 'toldFoundTown', { target: nameOf(town, night.found.target) }));
  }
  return secrets;
}

export const toldCount = (result: Result, town: Town): string =>
  tally(result.votes)
    .map((held) => `${nameOf(town, held.seat)} ${held.votes}`)
    .join(', ');

export function toldVerdict(result: Result, town: Town, t: Words): string {
  if (result.runoff.length > 0) return t('toldRunoff', { names: result.runoff.map((seat) => nameOf(town, seat)).join(', ') });
  if (result.out === null) return t('toldNobodyGoes');
  return t(result.isTie ? 'toldDrawnOut' : 'toldVotedOut', { who: nameOf(town, result.out) });
}

export function toldEnd(town: Town, t: Words): string {
  if (!town.end) return '';
  if (town.end.winner === null) return t('toldCalledOff', { why: town.end.calledOff ?? '' });
  return t(town.end.winner === 'town' ? 'toldTownWins' : 'toldMafiaWins');
}

export function told(_before: Town, message: Event, after: Town, t: Words): string | null {
  const name = (player: string) => nameOf(after, seatOf(player));
  switch (message.eventType) {
    case 'PHASE_CHANGED':
      if (message.payload.to === 'NIGHT_ACTIONS') return t('toldNight', { number: message.payload.dayNumber + 1 });
      if (message.payload.to === 'DAY_DISCUSSION') return t('toldDay', { number: message.payload.dayNumber });
      return message.payload.to === 'DAY_VOTING' ? t('toldVoting') : null;
    case 'NIGHT_ACTION_SUBMITTED': {
      const { agentId, actionType, targetId } = message.payload;
      if (targetId === null) return t('toldSpares', { who: name(agentId) });
      return t(`told-${actionType}`, { who: name(agentId), target: name(targetId) });
    }
    case 'NIGHT_RESOLVED': {
      const night = after.nights.at(-1);
      return night ? [toldDawn(night, after, t), ...toldSecrets(night, after, t)].join(' ') : null;
    }
    case 'AGENT_SAY_STREAM': {
      // A statement is told when it is whole.
      const line = after.lines.find((one) => one.turn === message.payload.turnId);
      if (!line?.isFinal) return null;
      const who = name(message.payload.agentId);
      const words = textOf(line).trim();
      return words ? t(line.isWhispered ? 'toldWhispers' : 'toldSays', { who, words }) : t('toldPasses', { who });
    }
    case 'VOTE_CAST': {
      const { voterId, targetId } = message.payload;
      return targetId === null
        ? t('toldAbstains', { who: name(voterId) })
        : t('toldVotes', { who: name(voterId), target: name(targetId) });
    }
    case 'VOTE_RESULT': {
      const result = after.results.at(-1);
      return result ? [toldCount(result, after), toldVerdict(result, after, t)].filter(Boolean).join(': ') : null;
    }
    case 'PLAYER_ELIMINATED': {
      const player = after.players[seatOf(message.payload.playerId)];
      return player ? toldFlip(player, t) : null;
    }
    case 'GAME_ENDED':
      return toldEnd(after, t);
    case 'FLOOR_GIVEN':
      return t('toldFloor', { who: name(message.payload.agentId) });
    case 'GAME_PAUSED':
      return t('paused');
    default:
      return null;
  }
}

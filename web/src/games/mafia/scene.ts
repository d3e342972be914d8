// What stands in the middle of the circle: one thing at a time.

import type { Event } from '../../wire/mafia.events';
import { count, isNight, seatOf, type Line, type Night, type Result, type Town } from './town';

export type Scene =
  | { kind: 'end' }
  | { kind: 'death'; seat: number }
  | { kind: 'dawn'; night: Night }
  | { kind: 'count'; result: Result }
  | { kind: 'words'; line: Line }
  | { kind: 'ballot' }
  | { kind: 'night' }
  | { kind: 'floor' };

export function scene(town: Town, last: Event | null): Scene {
  if (last?.eventType === 'PLAYER_ELIMINATED') return { kind: 'death', seat: seatOf(last.payload.playerId) };
  if (town.end) return { kind: 'end' };
  if (isNight(town)) {
    const whisper = town.lines.findLast((line) => line.isWhispered && line.number === count(town));
    return whisper ? { kind: 'words', line: whisper } : { kind: 'night' };
  }
  const result = town.results.at(-1);
  if (town.stage === 'RESOLUTION' && result?.round === town.round) return { kind: 'count', result };
  if (town.stage === 'DAY_VOTING') return { kind: 'ballot' };
  const night = town.nights.at(-1);
  const said = town.lines.findLast((line) => line.kind === 'say' && line.occasion === 'day' && line.number === town.day);
  if (town.stage === 'DAY_DISCUSSION' && said) return { kind: 'words', line: said };
  return night ? { kind: 'dawn', night } : { kind: 'floor' };
}

// What the viewer's seat may do whoever is asked.

import { awaiting, isPresent, type Match } from './match';

export type Aside = 'SIT_OUT' | 'COME_BACK' | 'REBUY' | 'TIME_BANK' | 'CLAIM';

export function asides(match: Match, seat: number): Aside[] {
  const player = match.players[seat];
  if (!player || match.finished || match.deal === 0) return [];
  const found: Aside[] = [player.sittingOut ? 'COME_BACK' : 'SIT_OUT'];
  const isInDeal = !match.dealFinished && player.active;
  if (match.rules?.rebuy != null && player.stack === 0 && !isInDeal) found.push('REBUY');
  const isAlone = isPresent(player) && match.dealFinished && awaiting(match).length > 0;
  if ((match.rules?.edition ?? 1) > 1 && isAlone) found.push('CLAIM');
  if (match.next?.seat === seat && match.deadline !== null && player.timeBank > 0) found.push('TIME_BANK');
  return found;
}

// The moments of a match one wants to go back to.

import type { Event } from '../../wire/koikoi.protocol';
import type { Match } from './fold';

export function mark(_before: Match, message: Event, _after: Match): string | null {
  switch (message.event) {
    case 'RoundDealt':
      return 'markDeal';
    case 'DecisionRequired':
      return 'markYaku';
    case 'DecisionMade':
      return message.decision === 'KOI_KOI' ? 'markKoiKoi' : null;
    case 'RoundScored':
    case 'RoundDrawn':
    case 'RoundEndedInstantly':
      return 'markRoundEnd';
    default:
      return null;
  }
}

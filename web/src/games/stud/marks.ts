// The moments of a match one wants to go back to: deals, streets, showdowns.

import type { Event } from '../../wire/stud.events';
import type { Match } from './match';

export function mark(_before: Match, message: Event, _after: Match): string | null {
  switch (message.type) {
    case 'DEAL_STARTED':
      return 'markDeal';
    case 'DEAL_CARDS_3RD':
      return 'street3rd';
    case 'DEAL_CARD_4TH':
      return 'street4th';
    case 'DEAL_CARD_5TH':
      return 'street5th';
    case 'DEAL_CARD_6TH':
      return 'street6th';
    case 'DEAL_CARD_7TH':
      return 'street7th';
    case 'DEAL_END':
      return message.shown.length > 0 ? 'markShowdown' : 'markUncontested';
    default:
      return null;
  }
}

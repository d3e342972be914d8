// The moments of a game one wants to go back to.

import type { Event } from '../../wire/binokel.events';
import type { Game } from './game';

export function mark(_before: Game, message: Event, after: Game): string | null {
  switch (message.type) {
    case 'BIDDING_WON':
      return 'markBid';
    case 'GOING_OUT':
      return 'markGoingOut';
    case 'SPECIAL_ANNOUNCED':
      return 'markAnnounced';
    case 'MELDING_COMPLETE':
      return after.special ? null : 'markMelds';
    case 'TRICK_WON':
      return 'markTrick';
    case 'ROUND_SCORED':
      return 'markRound';
    default:
      return null;
  }
}

// The moments of a game one wants to go back to: nights, deaths, votes, the end.

import type { Event } from '../../wire/mafia.events';
import type { Town } from './town';

export function mark(_before: Town, message: Event, _after: Town): string | null {
  switch (message.eventType) {
    case 'PHASE_CHANGED':
      return message.payload.to === 'NIGHT_ACTIONS' ? 'markNight' : message.payload.to === 'DAY_DISCUSSION' ? 'markDay' : null;
    case 'PLAYER_ELIMINATED':
      return 'markDeath';
    case 'VOTE_RESULT':
      return 'markVote';
    case 'GAME_ENDED':
      return 'markEnd';
    default:
      return null;
  }
}

// The present as a whole, for whoever comes in the midst of a match.

import type { PlayerTold, SNAPSHOT } from '../../wire/stud.events';
import { distinct, laidOpen, seated, type Deed, type Match, type Player } from './match';

export function restored(told: SNAPSHOT): Match {
  const names = distinct(told.players.map((player) => player.name));
  const standing = (player: PlayerTold, seat: number): Player => ({
    ...seated(names[seat] ?? '', player.isBot, player.stack, player.timeBank),
    active: player.active,
    dealtIn: player.dealtIn,
    committedTotal: player.committedTotal,
    committedThisStreet: player.committedThisStreet,
    up: player.up,
    down: player.down,
    lastAction: player.lastAction as Deed | null,
    sittingOut: player.sittingOut,
  });
  const last = told.dealFinished ? null : told.actionsThisStreet.at(-1);
  const match: Match = {
    rules: told.rules,
    players: told.players.map(standing),
    deal: told.deal,
    variant: told.variant,
    stakes: told.stakes,
    street: told.street,
    // The house says 0 once the pot is paid; the table shows what was played for.
    pot: told.players.reduce((sum, player) => sum + player.committedTotal, 0),
    currentBet: told.currentBet,
    bringIn: told.bringInIndex,
    next: told.currentActorIndex === null ? null : { seat: told.currentActorIndex, legal: told.legal },
    deadline: told.secondsLeft === null ? null : told.timestamp + told.secondsLeft * 1000,
    moved: last?.seat ?? null,
    ended: told.lastDeal && { ...told.lastDeal, deal: told.deal },
    dealFinished: told.stage !== 'DEALING',
    finished: told.finished,
  };
  return told.lastDeal ? laidOpen(match, told.lastDeal.shown) : match;
}

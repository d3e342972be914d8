// What a viewer knows of a match of stud, folded from its events.

import type { DEAL_END, DealtCard, Event, GAME_FINISHED, GameFinished, Next, Street } from '../../wire/stud.events';
import { alter, distinct, empty, laidOpen, seated, type Deed, type Match } from './match';
import { restored } from './snapshot';

const STREETS: readonly Street[] = ['3rd', '4th', '5th', '6th', '7th'];

/** Bets are seen one by one, a street before the next, and a showdown long enough to be read. */
export function beat(message: Event): number {
  switch (message.type) {
    case 'BRING_IN':
    case 'COMPLETE':
    case 'BET':
    case 'RAISE':
    case 'CALL':
    case 'FOLD':
    case 'CHECK':
      return 350;
    case 'DEAL_CARDS_3RD':
      return 500;
    case 'DEAL_CARD_4TH':
    case 'DEAL_CARD_5TH':
    case 'DEAL_CARD_6TH':
    case 'DEAL_CARD_7TH':
      return message.next ? 400 : 900;
    case 'STREET_ADVANCE':
      return message.turnedUp.length > 0 ? 900 : 200;
    case 'DEAL_END':
      return message.shown.length > 0 ? 3500 : 1500;
    default:
      return 0;
  }
}

export function fold(match: Match, message: Event): Match {
  switch (message.type) {
    case 'GAME_STARTED': {
      const { rules } = message;
      const stack = (seat: number) => (typeof rules.stacks === 'number' ? rules.stacks : (rules.stacks[seat] ?? 0));
      const names = distinct(message.players.map((player) => player.name));
      const players = message.players.map(({ seat, isBot }) => seated(names[seat] ?? '', isBot, stack(seat), rules.timeBank));
      return { ...empty(), rules, stakes: rules.stakes, players };
    }
    case 'DEAL_STARTED': {
      const players = match.players.map((player, seat) => ({
        ...seated(player.name, player.isBot, message.stacks[seat] ?? player.stack, player.timeBank),
        sittingOut: player.sittingOut,
        dealtIn: message.seats.includes(seat),
        active: message.seats.includes(seat),
      }));
      const { deal, variant, stakes } = message;
      const { rules, ended } = match;
      return { ...empty(), rules, ended, players, deal, variant, stakes, dealFinished: false };
    }
    case 'DEAL_INIT':
      return match;
    case 'POST_ANTE':
      return paid(match, message.seat, message.paid, false);
    case 'DEAL_CARDS_3RD': {
      const players = match.players.map((player, seat) => {
        const hand = message.hands.find((one) => one.seat === seat);
        return hand ? { ...player, down: [...hand.down], up: [hand.up] } : player;
      });
      return { ...asked(match, message), players, street: '3rd', bringIn: message.bringInIndex, moved: null };
    }
    case 'DEAL_CARD_4TH':
    case 'DEAL_CARD_5TH':
    case 'DEAL_CARD_6TH':
    case 'DEAL_CARD_7TH':
      return { ...asked(dealt(match, message.cards, message.type === 'DEAL_CARD_7TH'), message), street: message.street, moved: null };
    case 'BRING_IN':
    case 'COMPLETE':
    case 'BET':
    case 'RAISE': {
      const next = did(paid(match, message.seat, message.paid, true), message.seat, message.type);
      const reached = next.players[message.seat ?? -1]?.committedThisStreet ?? 0;
      // The bring-in is the price even if it is posted short.
      const floor = message.type === 'BRING_IN' || message.type === 'COMPLETE' ? match.stakes.bringIn : 0;
      return { ...asked(next, message), currentBet: Math.max(match.currentBet, reached, floor) };
    }
    case 'CALL':
      return asked(did(paid(match, message.seat, message.paid, true), message.seat, 'CALL'), message);
    case 'FOLD':
      return asked(alter(did(match, message.seat, 'FOLD'), message.seat, () => ({ active: false })), message);
    case 'CHECK':
      return asked(did(match, message.seat, 'CHECK'), message);
    case 'STREET_ADVANCE': {
      const players = match.players.map((player, seat) => {
        const turned = message.turnedUp.find((one) => one.seat === seat);
        return { ...player, committedThisStreet: 0, down: turned ? [...turned.down, ...player.down.slice(2)] : player.down };
      });
      const street = STREETS[STREETS.indexOf(message.street ?? '7th') + 1] ?? message.street;
      return { ...asked(match, message), players, street, currentBet: 0, moved: null };
    }
    case 'DEAL_END':
      return over(match, message);
    case 'SAT_OUT':
      return alter(match, message.seat, () => ({ sittingOut: true }));
    case 'CAME_BACK':
      return alter(match, message.seat, () => ({ sittingOut: false }));
    case 'REBOUGHT':
      return alter(match, message.seat, (player) => ({ stack: player.stack + message.amount }));
    case 'TIME_BANK':
      return asked(alter(match, message.seat, (player) => ({ timeBank: player.timeBank - message.seconds })), message);
    case 'GAME_FINISHED':
      return { ...settled(match, message.stacks), next: null, deadline: null, dealFinished: true, finished: finish(message) };
    case 'SNAPSHOT':
      return restored(message);
    // Refusals and presence change nothing here, nor does what a newer house may tell.
    default:
      return match;
  }
}

function asked(match: Match, { next, timestamp }: { next: Next | null; timestamp: number }): Match {
  const deadline = next?.timeoutSeconds ? timestamp + next.timeoutSeconds * 1000 : null;
  return { ...match, next: next && { seat: next.seat, legal: next.legal }, deadline };
}

function paid(match: Match, seat: number | null, chips: number, isOnStreet: boolean): Match {
  const next = alter(match, seat, (player) => ({
    stack: player.stack - chips,
    committedTotal: player.committedTotal + chips,
    committedThisStreet: player.committedThisStreet + (isOnStreet ? chips : 0),
  }));
  return { ...next, pot: match.pot + chips };
}

const did = (match: Match, seat: number | null, lastAction: Deed): Match => ({ ...alter(match, seat, () => ({ lastAction })), moved: seat });

function dealt(match: Match, cards: DealtCard[], isDown: boolean): Match {
  return cards.reduce((next, { seat, card }) => {
    if (isDown) return alter(next, seat, ({ down }) => ({ down: [...down, card] }));
    return card ? alter(next, seat, ({ up }) => ({ up: [...up, card] })) : next;
  }, match);
}

function settled(match: Match, stacks: number[]): Match {
  return { ...match, players: match.players.map((player, seat) => ({ ...player, stack: stacks[seat] ?? player.stack })) };
}

function over(match: Match, message: DEAL_END): Match {
  const { seat, street, variant, shown, pots, change, stacks } = message;
  const next = settled(laidOpen(match, shown), stacks);
  const ended = { seat, street, variant, shown, pots, change, stacks, deal: match.deal };
  return { ...next, next: null, deadline: null, moved: null, dealFinished: true, ended };
}

const finish = ({ reason, note, stacks, won, winners, seedOpening }: GAME_FINISHED): GameFinished => ({ reason, note, stacks, won, winners, opening: seedOpening });

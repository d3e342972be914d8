// One event of a deal as a dealer would say it.

import type { Card, DealtCard, Event, Pot } from '../../wire/stud.events';
import type { Words } from '../../words/index.svelte';
import { signOf, signsOf } from './cards';
import { called, inWords, named, namedLow } from './hands';
import type { Match } from './match';

type Ended = NonNullable<Match['ended']>;

export const nameAt = (match: Match, seat: number | null): string => match.players[seat ?? -1]?.name ?? '';

export function names(match: Match, seats: number[], t: Words): string {
  const all = seats.map((seat) => nameAt(match, seat));
  const last = all.pop() ?? '';
  return all.length > 0 ? t('and', { some: all.join(', '), last }) : last;
}

/** A single pot is the pot; of several the first is the main pot. */
export function potName(nth: number, of: number, t: Words): string {
  if (of === 1) return t('pot');
  return nth === 0 ? t('mainPot') : t('sidePot', { nth });
}

interface Won {
  /** Which pots, with their chips. */
  pots: string;
  pot: Pot;
}

function wins(match: Match, ended: Ended, { pots, pot }: Won, t: Words): string {
  const cardsOf = (seat: number | undefined): Card[] => ended.shown.find((one) => one.seat === seat)?.cards ?? [];
  const winners = pot.high.length > 0 ? pot.high : pot.low;
  const who = names(match, winners, t);
  const cards = cardsOf(winners[0]);
  // Uncontested, or won by a hand that stayed closed.
  if (cards.length === 0) return t('potTo', { pots, who });
  const { high, low } = called(cards, ended.variant);
  if (pot.high.length > 0 && pot.low.length > 0) {
    if (pot.high.length === 1 && String(pot.high) === String(pot.low)) return t('potScooped', { pots, who, hand: inWords(cards, ended.variant, t) });
    const lowest = called(cardsOf(pot.low[0]), ended.variant).low;
    const half = (seats: number[], hand: string) => `${names(match, seats, t)} (${hand})`;
    return t('potHiLo', { pots, high: half(pot.high, high ? named(high, t) : ''), low: half(pot.low, lowest ? namedLow(lowest, t) : '') });
  }
  const hand = pot.high.length > 0 ? high && named(high, t) : low && namedLow(low, t);
  return t(winners.length > 1 ? 'potShared' : 'potToWith', { pots, who, hand: hand ?? '' });
}

/** Every pot of a deal that ended, and who won it with what; pots won alike in one line. */
export function toldPots(match: Match, ended: Ended, t: Words): string[] {
  // What only one seat reached is its own money: it is no pot to be won.
  const isReturned = (pot: Pot) => pot.seats.length === 1 && ended.seat === null;
  const contested = ended.pots.filter((pot) => !isReturned(pot));
  const lines: Won[] = [];
  contested.forEach((pot, nth) => {
    const pots = `${potName(nth, contested.length, t)} ${pot.amount}`;
    const alike = lines.find((one) => String([one.pot.high, '/', one.pot.low]) === String([pot.high, '/', pot.low]));
    if (alike) alike.pots += `, ${pots}`;
    else lines.push({ pots, pot });
  });
  const back = ended.pots.filter(isReturned).map((pot) => t('potBack', { chips: pot.amount, who: names(match, pot.seats, t) }));
  return [...lines.map((line) => wins(match, ended, line, t)), ...back];
}

/** The hands that were shown and did not win: those that won are told with their pots. */
export function toldOthers(match: Match, ended: Ended, t: Words): string[] {
  const winners = ended.pots.flatMap((pot) => [...pot.high, ...pot.low]);
  return ended.shown.filter(({ seat }) => !winners.includes(seat)).map(({ seat, cards }) => t('shows', { who: nameAt(match, seat), hand: inWords(cards, ended.variant, t) }));
}

const showing = (match: Match, cards: DealtCard[]) => cards.map(({ seat }) => `${nameAt(match, seat)} ${signsOf(match.players[seat]?.up ?? [])}`).join(' · ');

export function told(_before: Match, message: Event, after: Match, t: Words): string | null {
  const who = nameAt(after, message.seat);
  switch (message.type) {
    case 'GAME_STARTED':
      return t('toldStart', { who: names(after, after.players.map((_, seat) => seat), t), small: after.stakes.smallBet, big: after.stakes.bigBet });
    case 'DEAL_STARTED':
      return t('toldDeal', { deal: message.deal, variant: t(message.variant) });
    case 'DEAL_CARDS_3RD': {
      const hands = message.hands.map(({ seat, up }) => `${nameAt(after, seat)} ${signOf(up)}`).join(' · ');
      const line = t('toldThird', { hands });
      return message.bringInIndex === null ? line : `${line} ${t('toldBringIn', { who: nameAt(after, message.bringInIndex) })}`;
    }
    case 'DEAL_CARD_4TH':
    case 'DEAL_CARD_5TH':
    case 'DEAL_CARD_6TH':
    case 'DEAL_CARD_7TH': {
      const isLast = message.type === 'DEAL_CARD_7TH';
      const line = isLast ? t('toldSeventh') : t('toldStreet', { street: t(`street${message.street}`), hands: showing(after, message.cards) });
      return message.next ? `${line} ${t('toldOpens', { who: nameAt(after, message.next.seat) })}` : line;
    }
    case 'BRING_IN':
    case 'COMPLETE':
    case 'BET':
    case 'RAISE':
    case 'CALL': {
      const player = after.players[message.seat ?? -1];
      const line = t(`told${message.type}`, { who, chips: message.paid, level: player?.committedThisStreet ?? message.paid });
      const late = message.type === 'BRING_IN' && message.timedOut ? [t('toldTimedOut')] : [];
      return [line, ...(player?.stack === 0 ? [t('toldAllIn')] : []), ...late].join(' ');
    }
    case 'FOLD':
    case 'CHECK':
      return message.timedOut ? `${t(`told${message.type}`, { who })} ${t('toldTimedOut')}` : t(`told${message.type}`, { who });
    case 'STREET_ADVANCE': {
      if (message.turnedUp.length === 0) return null;
      const hands = message.turnedUp.map(({ seat, down }) => `${nameAt(after, seat)} ${signsOf(down)}`).join(' · ');
      return t('toldTurnedUp', { hands });
    }
    case 'DEAL_END': {
      if (!after.ended) return null;
      return [...toldPots(after, after.ended, t), ...toldOthers(after, after.ended, t)].map((line) => t('sentence', { line })).join(' ');
    }
    case 'SAT_OUT':
      return t('toldSatOut', { who });
    case 'CAME_BACK':
      return t('toldCameBack', { who });
    case 'REBOUGHT':
      return t('toldRebought', { who, chips: message.amount });
    case 'TIME_BANK':
      return t('toldTimeBank', { who, seconds: message.seconds });
    case 'GAME_FINISHED':
      return [toldWhy(after, t), toldMatch(after, t)].map((line) => t('sentence', { line })).join(' ');
    default:
      return null;
  }
}

/** Why the match is over. */
export function toldWhy(match: Match, t: Words): string {
  const reason = match.finished?.reason;
  if (reason === 'TOO_FEW_PLAYERS') return t('tooFewPlayers');
  return t(reason === 'CLAIMED' ? 'claimed' : 'matchOver');
}

/** Who won the match. */
export function toldMatch(match: Match, t: Words): string {
  const { winners = [], reason } = match.finished ?? {};
  if (reason === 'CALLED_OFF') return t('calledOff');
  if (winners.length === 0) return t('matchEven');
  return t(winners.length === 1 ? 'matchWon' : 'matchShared', { who: names(match, winners, t) });
}

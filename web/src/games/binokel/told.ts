// One event as a sentence.

import { settings } from '../../house/settings.svelte';
import type { Event, Meld } from '../../wire/binokel.events';
import type { Words } from '../../words/index.svelte';
import { nameOf, suitName, type CardId, type Suit } from './cards';
import { isTeams, sideName, WORTH, type Entry, type Game } from './game';

const suit = (of: Suit, t: Words) => suitName(of, settings.binokelDeck, t);

export function meldName(meld: Meld, t: Words): string {
  const name = t(meld.type);
  return meld.suit ? t('meldIn', { meld: name, suit: suit(meld.suit, t) }) : name;
}

const meldList = (melds: Meld[], t: Words) => melds.map((meld) => `${meldName(meld, t)} ${meld.points}`).join(', ');

/** `−2 × 180 = −360`: how a side's round came about. */
export function reckoning(entry: Entry, isDeclarer: boolean, side: number, bonus: number, t: Words): string {
  const score = entry.scores[side];
  if (!score) return '';
  const { melds, tricks, total } = score;
  if (entry.special) {
    if (!isDeclarer) return t('reckonNothing');
    return t(score.bidMet ? 'reckonMade' : 'reckonLost', { game: t(entry.special), points: WORTH[entry.special] });
  }
  if (entry.wentOut) return isDeclarer ? t('reckonOut', { bid: entry.bid }) : t('reckonBonus', { melds, bonus, total });
  const sum = t('reckonSum', { melds, tricks, sum: melds + tricks });
  if (!isDeclarer) return sum;
  return score.bidMet ? t('reckonMet', { sum, bid: entry.bid }) : t('reckonShort', { sum, bid: entry.bid, total });
}

export function told(_before: Game, message: Event, after: Game, t: Words): string | null {
  const who = (seat: number) => after.players[seat]?.name ?? '';
  switch (message.type) {
    case 'CARDS_DEALT':
      return t('toldDealt', { round: after.round, who: who(after.auction.opener) });
    case 'BID_PLACED':
      return t('toldBid', { who: who(message.payload.playerIndex), amount: message.payload.amount });
    case 'PLAYER_PASSED':
      return t('toldPass', { who: who(message.payload.playerIndex) });
    case 'BIDDING_WON':
      return t('toldBidWon', { who: who(message.payload.playerIndex), amount: message.payload.winningBid });
    case 'DABB_TAKEN':
      return t('toldDabb', { who: who(message.payload.playerIndex) });
    case 'CARDS_DISCARDED':
      return t('toldAway', { who: who(message.payload.playerIndex), count: message.payload.discardedCards.length });
    case 'TRUMP_DECLARED':
      return t('toldTrump', { who: who(message.payload.playerIndex), suit: suit(message.payload.suit, t) });
    case 'SPECIAL_ANNOUNCED':
      return t('toldAnnounced', { who: who(message.payload.playerIndex), game: t(message.payload.special) });
    case 'GOING_OUT':
      return t('toldOut', { who: who(message.payload.playerIndex), suit: suit(message.payload.suit, t) });
    case 'MELDS_DECLARED': {
      const { playerIndex, melds, totalPoints } = message.payload;
      if (melds.length === 0) return t('toldNoMelds', { who: who(playerIndex) });
      return t('toldMelds', { who: who(playerIndex), melds: meldList(melds, t), points: totalPoints });
    }
    case 'CARD_PLAYED': {
      const card = nameOf(message.payload.card.id as CardId, settings.binokelDeck, t);
      return t('toldPlays', { who: who(message.payload.playerIndex), card });
    }
    case 'TRICK_WON':
      return t('toldTrick', { who: who(message.payload.winnerIndex), points: message.payload.points });
    case 'ROUND_SCORED': {
      const entry = after.sheet.at(-1);
      const sums = entry?.scores.map((score, side) => `${sideName(after, side)} ${signed(score.total)}`) ?? [];
      return t('toldScored', { round: after.round, sums: sums.join(', ') });
    }
    case 'GAME_FINISHED':
      return t(isTeams(after) ? 'toldWonTogether' : 'toldWon', { who: sideName(after, message.payload.winner) });
    case 'GAME_TERMINATED': {
      const { terminatedBy } = message.payload;
      return terminatedBy === null ? t('toldCalledOff') : t('toldLeft', { who: who(terminatedBy) });
    }
    default:
      return null;
  }
}

/** With a true minus, and a plus where something was gained. */
export const signed = (points: number): string => (points > 0 ? `+${points}` : points < 0 ? `−${-points}` : '0');

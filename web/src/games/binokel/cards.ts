// Binokel's cards by name. An id is suit, rank and copy: `herz-ass-1`.

import type { Card, CardId, MeldKind, Rank, Suit } from '../../wire/binokel.events';
import type { Words } from '../../words/index.svelte';

export type { CardId, MeldKind, Rank, Suit };

export const SUITS: readonly Suit[] = ['kreuz', 'schippe', 'herz', 'bollen'];
/** Low to high: the ten outranks the king. */
export const RANKS: readonly Rank[] = ['7', 'buabe', 'ober', 'koenig', '10', 'ass'];

export const suitOf = (card: CardId): Suit => card.split('-')[0] as Suit;
export const rankOf = (card: CardId): Rank => card.split('-')[1] as Rank;
export const height = (card: CardId): number => RANKS.indexOf(rankOf(card));

const POINTS: Record<Rank, number> = { '7': 0, buabe: 2, ober: 3, koenig: 4, '10': 10, ass: 11 };
export const points = (cards: readonly CardId[]): number => cards.reduce((sum, card) => sum + POINTS[rankOf(card)], 0);

/** The id of a card, or null for the placeholder of a hidden one. */
export const seen = (card: Card | string): CardId | null => {
  const id = typeof card === 'string' ? card : card.id;
  return id.startsWith('hidden') ? null : (id as CardId);
};

/** As a hand is held: suit by suit, each from the ass down. */
export function sorted(cards: readonly CardId[]): CardId[] {
  const place = (card: CardId) => SUITS.indexOf(suitOf(card)) * 10 - height(card);
  return cards.toSorted((one, other) => place(one) - place(other) || (one < other ? -1 : 1));
}

/** The faces a player has chosen; their suits and ranks have names of their own. */
export type Deck = 'german' | 'french';

export const suitName = (suit: Suit, deck: Deck, t: Words): string => t(`${suit}-${deck}`);
export const nameOf = (card: CardId, deck: Deck, t: Words): string =>
  t('cardOf', { suit: suitName(suitOf(card), deck, t), rank: t(`${rankOf(card)}-${deck}`) });

// Cards in words.

import type { Card } from '../../wire/stud.events';
import type { Words } from '../../words/index.svelte';
import { rankOf } from './hands';

/** As a screen reader says it: king of spades. */
export const nameOf = (card: Card, t: Words): string => t('cardOf', { rank: t(`rank${rankOf(card)}`), suit: t(`suit-${card[1]}`) });

const SIGNS: Record<string, string> = { c: '♣', d: '♦', h: '♥', s: '♠' };

/** As it is written in a line: K♠. */
export const signOf = (card: Card): string => `${card.startsWith('T') ? '10' : card[0]}${SIGNS[card[1] ?? ''] ?? ''}`;

export const signsOf = (cards: (Card | null)[]): string => cards.map((card) => (card ? signOf(card) : '▮')).join(' ');

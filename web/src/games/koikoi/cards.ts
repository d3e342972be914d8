// Hanafuda by name. The id of a card is month, class and number: `0111`.

import type { Card } from '../../wire/koikoi.protocol';
import type { Words } from '../../words/index.svelte';
import { month } from './fold';

export const CLASSES = ['bright', 'animal', 'ribbon', 'plain'] as const;
export type Class = (typeof CLASSES)[number];

export const classOf = (card: Card): Class => CLASSES[Number(card[2]) - 1] ?? 'plain';

const POETRY: Card[] = ['0131', '0231', '0331'];
const BLUE: Card[] = ['0631', '0931', '1031'];
/** Brights and animals have names of their own, and so has the plain of the storm. */
const NAMED: Card[] = ['0111', '0311', '0811', '1111', '1211', '0221', '0421', '0521', '0621', '0721', '0821', '0921', '1021', '1121', '1141'];

/** What is on a card, besides its flower: `crane`. */
function objectOf(card: Card, t: Words): string {
  if (NAMED.includes(card)) return t(`card${card}`);
  if (classOf(card) !== 'ribbon') return t('plainCard');
  return t(POETRY.includes(card) ? 'poetryRibbon' : BLUE.includes(card) ? 'blueRibbon' : 'redRibbon');
}

/** A card as players call it: `crane (pine)`. */
export const nameOf = (card: Card, t: Words): string => t('cardOf', { object: objectOf(card, t), flower: t(`month${month(card)}`) });

/** Cards whose flower was named already: what is taken is of the taker's month. */
export const objectsOf = (cards: readonly Card[], t: Words): string => cards.map((card) => objectOf(card, t)).join(', ');

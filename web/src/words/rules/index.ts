// The meaning of rules and bots. The house tells it in English; what is not
// known here, because the house has learnt something new, stays so.

import { lang } from '../index.svelte';
import { de } from './de';
import { ja } from './ja';
import { zh } from './zh';

export const meanings = { zh, ja, de };

export function meaning(game: string, kind: 'preset' | 'option' | 'bot', told: { name: string; meaning: string }): string {
  const own = lang();
  return (own === 'en' ? undefined : meanings[own][`${game}.${kind}.${told.name}`]) ?? told.meaning;
}

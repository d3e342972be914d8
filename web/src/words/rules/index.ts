// The words for rules and bots. The house tells their meaning in English; what is
// not known here, because the house has learnt something new, stays so.

import { lang } from '../index.svelte';
import { de } from './de';
import { en } from './en';
import { ja } from './ja';
import { zh } from './zh';

const words = { en, zh, ja, de };

const said = (key: string): string | undefined => words[lang()][key];

export function meaning(game: string, kind: 'preset' | 'option' | 'bot', told: { name: string; meaning: string }): string {
  return said(`${game}.${kind}.${told.name}`) ?? told.meaning;
}

/** What a set of rules is called. */
export const title = (game: string, preset: string): string => said(`${game}.title.${preset}`) ?? preset;

/** One of the things an option may be. */
export const choice = (game: string, option: string, value: string): string => said(`${game}.choice.${option}.${value}`) ?? value;

// The player's language. Common words live here, a game's beside the game.

import { settings } from '../house/settings.svelte';
import { de } from './de';
import { en } from './en';
import { ja } from './ja';
import { zh } from './zh';

export type Lang = 'en' | 'zh' | 'ja' | 'de';
export type Key = keyof typeof en;

/** A word or sentence by its key; `{name}` is filled in from `values`. */
export type Words = (key: string, values?: Record<string, string | number>) => string;

export const LANGUAGES: Record<Lang, { name: string; tag: string }> = {
  en: { name: 'English', tag: 'en' },
  zh: { name: '繁體中文', tag: 'zh-Hant' },
  ja: { name: '日本語', tag: 'ja' },
  de: { name: 'Deutsch', tag: 'de' },
};

const COMMON: Record<Lang, Record<Key, string>> = { en, zh, ja, de };

function preferred(): Lang {
  for (const tag of navigator.languages ?? [navigator.language]) {
    const found = tag.slice(0, 2).toLowerCase();
    if (found in LANGUAGES) return found as Lang;
  }
  return 'en';
}

export function lang(): Lang {
  return settings.lang ?? preferred();
}

export function fill(text: string, values: Record<string, string | number> = {}): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** Words with a game's own first. Reading one in a component follows the language. */
export function translator(game?: Record<Lang, Record<string, string>>): Words {
  return (key, values) => {
    const common = COMMON[lang()] as Record<string, string>;
    return fill(game?.[lang()][key] ?? common[key] ?? key, values);
  };
}

/** The common words. */
export const t: (key: Key, values?: Record<string, string | number>) => string = translator();

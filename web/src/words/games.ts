// What games are called. The house tells a new game's name and sentence in
// English; what is not known here stays so.

import { t, type Key } from './index.svelte';

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A word of this client, if it has one. */
function known(key: string): string | null {
  const said = t(key as Key);
  return said === key ? null : said;
}

export const gameName = (game: string): string => known(game) ?? capital(game);

export const gameAbout = (game: string, told: string): string => known(`${game}About`) ?? `${capital(told)}.`;

export const gameRules = (game: string, told: string): string => known(`${game}Rules`) ?? `${capital(told)}.`;

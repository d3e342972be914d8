// The games, each loaded when it is first opened. A folder here with an
// `index.ts` that exports `game` is a game.

import type { AnyGame } from './ui';

const FOLDERS = import.meta.glob<{ game: AnyGame }>('./*/index.ts');

/** The game with this name; undefined where the house offers one this client does not draw. */
export async function loadGame(name: string): Promise<AnyGame | undefined> {
  const load = FOLDERS[`./${name}/index.ts`];
  return load ? (await load()).game : undefined;
}

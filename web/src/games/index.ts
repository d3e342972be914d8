// The games, each loaded when it is first opened. A folder here with an
// `index.ts` that exports `game` is a game; any other game of the house is
// drawn by `any`, in the words the house tells it in.

import type { AnyGame } from './ui';

const FOLDERS = import.meta.glob<{ game: AnyGame }>(['./*/index.ts', '!./any/index.ts']);

/** The game with this name. */
export async function loadGame(name: string): Promise<AnyGame> {
  const load = FOLDERS[`./${name}/index.ts`];
  return load ? (await load()).game : (await import('./any')).anyGame(name);
}

/** Whether this client knows the game, and draws it in its own way. */
export const isDrawn = (name: string): boolean => `./${name}/index.ts` in FOLDERS;

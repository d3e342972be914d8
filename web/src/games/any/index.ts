// A table for any game: what the house tells of it in words, drawn without
// knowing its rules. Games with a folder of their own are drawn by that.

import type { Choice, Event } from '../../wire/words';
import type { GameUi } from '../ui';
import { beat, empty, fold, mark, told, type Told } from './fold';
import Table from './Table.svelte';
import { words } from './words';

/** The game of this name, in words. */
export function anyGame(name: string): GameUi<Told, Event, Choice['command']> {
  return {
    name,
    dialect: 'words',
    empty,
    fold,
    told,
    mark,
    awaiting: (state) => state.turn,
    isOver: (state) => state.isOver,
    beat,
    table: Table,
    words,
  };
}

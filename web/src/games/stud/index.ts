import type { GameUi } from '../ui';
import type { Command, Event } from '../../wire/stud.events';
import { beat, fold } from './fold';
import { mark } from './marks';
import { awaiting, empty, isOver, type Match } from './match';
import Table from './Table.svelte';
import { told } from './told';
import { words } from './words';

export const game: GameUi<Match, Event, Command> = {
  name: 'stud',
  dialect: 'stud.events',
  empty,
  fold,
  told,
  mark,
  awaiting,
  isOver,
  beat,
  table: Table,
  words,
};

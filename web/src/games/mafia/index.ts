import type { Command, Event } from '../../wire/mafia.events';
import type { GameUi } from '../ui';
import { awaiting, beat, fold, isOver } from './fold';
import { mark } from './marks';
import Table from './Table.svelte';
import { told } from './told';
import { empty, type Town } from './town';
import { words } from './words';

export const game: GameUi<Town, Event, Command> = {
  name: 'mafia',
  dialect: 'mafia.events',
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

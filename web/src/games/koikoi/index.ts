import type { GameUi } from '../ui';
import type { Command, Event } from '../../wire/koikoi.protocol';
import { awaiting, beat, empty, fold, isOver, type Match } from './fold';
import { mark } from './marks';
import Table from './Table.svelte';
import { told } from './told';
import { words } from './words';

export const game: GameUi<Match, Event, Command> = {
  name: 'koikoi',
  dialect: 'koikoi.protocol',
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

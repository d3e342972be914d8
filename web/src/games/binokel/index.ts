import type { GameUi } from '../ui';
import type { Command, Event } from '../../wire/binokel.events';
import { beat, fold } from './fold';
import { awaiting, empty, isOver, type Game } from './game';
import { mark } from './marks';
import Table from './Table.svelte';
import { told } from './told';
import { words } from './words';

export const game: GameUi<Game, Event, Command> = {
  name: 'binokel',
  dialect: 'binokel.events',
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

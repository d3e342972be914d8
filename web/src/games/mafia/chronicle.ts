// The whole game so far, day by day, from what is known of it.

import { isNight, type Line, type Night, type Result, type Town } from './town';

export interface Chapter {
  kind: 'night' | 'day';
  number: number;
  /** Said there, thoughts apart. */
  lines: Line[];
  /** How the night ended, on the chapter of the day that follows it. */
  dawn: Night | null;
  ballots: Result[];
  /** Who died in it, in order. */
  dead: number[];
}

export function chronicle(town: Town): Chapter[] {
  const chapters: Chapter[] = [];
  const said = town.lines.filter((line) => line.kind === 'say');
  const last = isNight(town) ? town.day + 1 : town.day;
  for (let number = 1; number <= last; number += 1) {
    const lines = (night: boolean) => said.filter((line) => line.number === number && (line.occasion === 'night') === night);
    const dead = (by: string) =>
      town.players.flatMap((player, seat) => (player.death?.by === by && player.death.round === 2 * number - 1 ? [seat] : []));
    chapters.push({ kind: 'night', number, lines: lines(true), dawn: null, ballots: [], dead: [] });
    if (number > town.day) continue;
    chapters.push({
      kind: 'day',
      number,
      lines: lines(false),
      dawn: town.nights.find((night) => night.number === number) ?? null,
      ballots: town.results.filter((result) => result.round === 2 * number - 1),
      dead: [...dead('night_kill'), ...dead('vote')],
    });
  }
  return chapters;
}

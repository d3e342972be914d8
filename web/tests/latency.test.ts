// How soon a move is on the screen after the click, at each of the four tables,
// with cards that glide. A measure, not a test: `make bench` asks for it with a
// release (PARLOR_BIN names the program). The goal is 100 ms.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import * as binokel from './binokel';
import { House, Visitor, openBrowser } from './house';
import * as koikoi from './koikoi';
import * as mafia from './mafia';
import * as stud from './stud';

const isAsked = process.env.PARLOR_MEASURE !== undefined;
const GOAL = 100;
const MOVES = 9;
const PATIENCE = 60_000;

let house: House;
let browser: Browser;

beforeAll(async () => {
  if (!isAsked) return;
  [house, browser] = await Promise.all([House.open(), openBrowser()]);
});

afterAll(async () => {
  await browser?.close();
  await house?.close();
});

interface Kind {
  game: string;
  seats: number;
  rules: unknown;
  bot: string;
  /** What is clicked when a move is asked for. */
  click: string;
  /** What the move changes, once the house has said so. */
  changes: string;
  isAsked(page: Page): Promise<boolean>;
  /** Plays on to where the next move is asked for; true at the end of the game. */
  playOn(page: Page): Promise<boolean>;
}

const KINDS: Kind[] = [
  {
    game: 'koikoi',
    seats: 2,
    rules: {},
    bot: 'easy',
    // A card that lifts might have a choice of two.
    click: '.hand button.card:not(.lifted)',
    changes: '.hand [data-card]',
    isAsked: async (page) => (await koikoi.moment(page)) === 'hand' && (await page.locator('.hand button.card:not(.lifted)').count()) > 0,
    playOn: async (page) => (await koikoi.move(page)) === 'over',
  },
  {
    game: 'stud',
    seats: 4,
    rules: { deals: 9 },
    bot: 'easy',
    click: '[data-action=CALL]:not(:disabled), [data-action=BRING_IN]:not(:disabled), [data-action=BET]:not(:disabled)',
    changes: '.mine .plate',
    isAsked: async (page) => (await page.locator('[data-action=CALL]:not(:disabled), [data-action=BRING_IN]:not(:disabled), [data-action=BET]:not(:disabled)').count()) > 0,
    playOn: async (page) => (await stud.move(page)) === 'over',
  },
  {
    game: 'binokel',
    seats: 3,
    rules: { rounds: 1, target: null },
    bot: 'easy',
    click: '[data-phase=tricks] .hand button.card',
    changes: '.hand [data-card]',
    isAsked: async (page) => (await binokel.moment(page)) === 'card',
    playOn: async (page) => (await binokel.move(page)) === 'over',
  },
  {
    game: 'mafia',
    seats: 7,
    rules: '7p2m',
    bot: 'easy',
    click: 'button[data-seat]',
    changes: '.phase, .scene, .thread, .chronicle [role=log]',
    isAsked: async (page) => ['night', 'vote'].includes(await mafia.moment(page)),
    playOn: async (page) => (await mafia.move(page)) === 'over',
  },
];

/** Milliseconds from the click until what it changed has been drawn. */
async function timed(page: Page, { click, changes }: Kind): Promise<number> {
  return page.evaluate(
    async ({ click, changes }) => {
      const look = () => [...document.querySelectorAll<HTMLElement>(changes)].map((one) => one.dataset.card ?? one.textContent).join('|');
      const before = look();
      const begun = performance.now();
      document.querySelector<HTMLElement>(click)?.click();
      while (look() === before && performance.now() - begun < 3000) await new Promise(requestAnimationFrame);
      // What was found in a frame is drawn at its end.
      await new Promise((resolve) => setTimeout(resolve, 0));
      return performance.now() - begun;
    },
    { click, changes },
  );
}

for (const kind of KINDS) {
  test.runIf(isAsked)(`a move of ${kind.game} is soon on the screen`, async () => {
    const visitor = await Visitor.come(browser, house, { reducedMotion: 'no-preference' });
    const { page } = visitor;
    const times: number[] = [];
    const bots = Array.from({ length: kind.seats - 1 }, (_, nth) => ({ kind: 'bot', bot: kind.bot, name: `Bot ${nth + 1}` }));
    for (const end = Date.now() + PATIENCE; times.length < MOVES && Date.now() < end; ) {
      await visitor.layAndSit(house, { game: kind.game, rules: kind.rules, seats: [{ kind: 'human', name: 'Ada' }, ...bots] });
      for (let isOver = false; !isOver && times.length < MOVES && Date.now() < end; ) {
        if (await kind.isAsked(page)) times.push(await timed(page, kind));
        else isOver = await kind.playOn(page).catch(() => false);
      }
    }
    times.sort((a, b) => a - b);
    const median = times[Math.floor(times.length / 2)] ?? Infinity;
    const worst = times.at(-1)?.toFixed(0);
    console.info(`${kind.game} click to screen, ms: median ${median.toFixed(0)} of ${times.length}, worst ${worst} (goal <= ${GOAL})`);
    expect(times.length).toBeGreaterThanOrEqual(5);
    expect(visitor.complaints).toEqual([]);
    await visitor.leave();
  });
}

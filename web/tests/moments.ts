// Every page of the house and every kind of moment at its tables, each with the
// way there: what has to fit on every screen, and what is worth a look.

import type { Page } from 'playwright-core';
import * as any from './any';
import * as binokel from './binokel';
import { ADMIN, type House, type Visitor } from './house';
import * as koikoi from './koikoi';
import * as mafia from './mafia';
import * as stud from './stud';

export interface Moment {
  name: string;
  /** Goes there; the page stays as it is found, also over a reload. */
  come(visitor: Visitor, house: House): Promise<unknown>;
  /** What a reload does not bring back. */
  again?(page: Page): Promise<unknown>;
}

const NAMES = ['Ada', 'Bruno', 'Chiyo', 'Dario', 'Edda', 'Felix', 'Greta', 'Hugo', 'Ines', 'Jun', 'Klara', 'Leo', 'Mei', 'Nils', 'Olga', 'Paul', 'Rosa', 'Sora', 'Tilda', 'Vito'];

/** A person among bots who are called as the client calls them. */
const seats = (count: number, bot = 'medium') => [
  { kind: 'human', name: 'Maximiliane' },
  ...NAMES.slice(0, count - 1).map((name) => ({ kind: 'bot', bot, name })),
];

const lay = (house: House, order: unknown) => house.call<{ table_id: string; code: string; token: string }>('/api/v1/tables', { method: 'POST', body: JSON.stringify(order) });

const page = (name: string, path: string, ready = 'main h1', again?: (page: Page) => Promise<unknown>): Moment => ({
  name,
  come: async (visitor) => {
    await visitor.page.goto(path);
    await visitor.page.waitForSelector(ready);
    await again?.(visitor.page);
  },
  ...(again && { again }),
});

/** The same, seen by somebody who does not sit there. */
function watched({ name, come }: Moment): Moment {
  return {
    name: `${name}-watched`,
    come: async (visitor, house) => {
      await come(visitor, house);
      await visitor.page.evaluate(() => localStorage.removeItem('parlor.seats'));
      await visitor.page.reload();
    },
  };
}

/** A round that ended without the moment stays where it is: another seed is quicker. */
const PATIENCE = 150;

function at<M>(game: string, name: string, count: number, rules: unknown, wanted: M, play: (page: Page, wanted: M) => Promise<boolean>, bot?: string): Moment {
  const come = async (visitor: Visitor, house: House) => {
    for (let nth = 0; nth < 20; nth += 1) {
      await visitor.layAndSit(house, { game, rules, seed: `${name} ${nth}`, seats: seats(count, bot) });
      if (await play(visitor.page, wanted)) return;
    }
    throw new Error(`${game} never comes to ${name}`);
  };
  return { name: `${game}-${name}-${count}`, come };
}

const flowers = (name: string, wanted: koikoi.Moment | 'roundOver', rules: unknown = {}) =>
  at('koikoi', name, 2, rules, wanted, async (page, wanted) => {
    if (wanted === 'over') return koikoi.playOut(page);
    if (wanted !== 'roundOver') return koikoi.playUntil(page, wanted, PATIENCE);
    for (let turn = 0; turn < 900; turn += 1) {
      if ((await page.locator('.ask .totals').count()) > 0) return true;
      if ((await koikoi.move(page).catch(() => 'waiting')) === 'over') return false;
    }
    return false;
  });

const chips = (name: string, count: number, wanted: stud.Moment, rules: unknown = { deals: 3 }, street = 3) =>
  at('stud', name, count, rules, wanted, async (page, wanted) => {
    for (let turn = 0; turn < 60; turn += 1) {
      if (!(await stud.playUntil(page, wanted, {}, PATIENCE))) return false;
      if (wanted !== 'asked' || (await page.locator('.mine [data-card]').count()) >= street) return true;
      await stud.move(page);
    }
    return false;
  }, 'easy');

const tricks = (name: string, count: number, wanted: binokel.Moment | 'roundOver', rules: unknown = { rounds: 1, target: null }, played = 0) =>
  at('binokel', name, count, rules, wanted, async (page, wanted) => {
    const choice = { upTo: 9000 };
    if (wanted === 'over') return binokel.playOut(page, choice);
    if (wanted === 'roundOver') {
      for (let turn = 0; turn < 2000; turn += 1) {
        if (await page.evaluate(() => document.querySelector('.ask .gain') !== null)) return true;
        await binokel.move(page, choice).catch(() => 'waiting');
      }
      return false;
    }
    for (let turn = 0; turn < played; turn += 1) {
      if (!(await binokel.playUntil(page, wanted, choice))) return false;
      await binokel.move(page, choice);
    }
    return binokel.playUntil(page, wanted, choice);
  });

const TOWNS: Record<number, unknown> = { 7: '7p2m', 10: 'classic', 20: { preset: 'classic', players: 20, mafia: 5 } };

const town = (name: string, count: number, wanted: mafia.Moment) =>
  at('mafia', name, count, TOWNS[count], wanted, (page, wanted) => (wanted === 'over' ? mafia.playOut(page) : mafia.playUntil(page, wanted)), 'hard');

/** A game without a drawing of its own. */
const dice = (name: string, count: number, wanted: any.Moment) =>
  at('dice', name, count, undefined, wanted, (page, wanted) => any.playUntil(page, wanted, { wish: ['CHALLENGE'] }), 'odds');

/** A town of bots that is stopped as it talks, or as a vote is counted. */
const paused = (name: string, count: number, seen: string): Moment => ({
  name: `mafia-${name}-${count}`,
  come: async (visitor, house) => {
    const laid = await lay(house, { game: 'mafia', rules: TOWNS[count], seed: name, bot_ms: 250, seats: seats(count, 'hard').map((seat) => ({ ...seat, kind: 'bot', bot: 'hard' })) });
    const { page } = visitor;
    await page.goto(`/t/${laid.code}`);
    await page.waitForSelector(seen, { timeout: 60_000 });
    await fetch(`${house.url}/api/v1/tables/${laid.table_id}/pause`, { method: 'POST', headers: { Authorization: `Bearer ${ADMIN}` } });
  },
});

const finished = (game: string, count: number, rules: unknown, position: number): Moment => ({
  name: `replay-${game}`,
  come: async (visitor, house) => {
    const bots = seats(count, 'hard').map((seat) => ({ ...seat, kind: 'bot', bot: 'hard' }));
    const laid = await lay(house, { game, rules, seed: 'a replay', seats: bots });
    for (let wait = 0; wait < 400; wait += 1) {
      if ((await house.call<{ status: string }>(`/api/v1/tables/${laid.table_id}`)).status === 'finished') break;
      await visitor.page.waitForTimeout(50);
    }
    await visitor.page.goto(`/r/${laid.table_id}#${position}`);
    await visitor.page.waitForSelector('.scrubber');
  },
});

/** A role is turned up for a moment only: the replay stays there. */
const flip: Moment = {
  name: 'mafia-flip-10',
  come: async (visitor, house) => {
    await finished('mafia', 10, 'classic', 1).come(visitor, house);
    const { page } = visitor;
    for (let step = 0; step < 400 && (await page.locator('.scene.death').count()) === 0; step += 1) await page.keyboard.press('ArrowRight');
    await page.waitForSelector('.scene.death');
  },
};

const GAMES = ['koikoi', 'stud', 'binokel', 'mafia'];

const admin = async (page: Page) => {
  await page.fill('input[type=password]', ADMIN);
  await page.click('form button.primary');
  await page.waitForSelector('.charts');
};

const waiting = (host: boolean): Moment => ({
  name: host ? 'waiting-host' : 'waiting-guest',
  come: async (visitor, house) => {
    await visitor.layAndSit(house, { game: 'binokel', seats: [...seats(3), { kind: 'human' }] });
    if (!host) await visitor.page.evaluate(() => localStorage.removeItem('parlor.seats'));
    if (!host) await visitor.page.reload();
    await visitor.page.waitForSelector('main h1');
  },
});

const busyHome: Moment = {
  name: 'home-busy',
  come: async (visitor, house) => {
    for (const [nth, game] of GAMES.entries()) {
      const count = [2, 6, 4, 10][nth] ?? 2;
      const bots = seats(count, 'easy');
      await lay(house, { game, seats: [...bots.slice(0, -1), { kind: 'human' }] });
      await lay(house, { game, seats: bots });
    }
    await visitor.layAndSit(house, { game: 'koikoi', seats: seats(2) });
    await visitor.page.goto('/');
    await visitor.page.waitForSelector('section:nth-of-type(3) li');
  },
};

const gone: Moment = {
  name: 'error-seat-gone',
  come: async (visitor, house) => {
    await visitor.layAndSit(house, { game: 'koikoi', seats: seats(2) });
    await visitor.page.evaluate(() => {
      const [seat] = JSON.parse(localStorage.getItem('parlor.seats') ?? '[]') as { token: string }[];
      localStorage.setItem('parlor.seats', JSON.stringify([{ ...seat, token: 'of-another-house' }]));
    });
    await visitor.page.reload();
    await visitor.page.waitForSelector('[data-card]');
  },
};

export const MOMENTS: Moment[] = [
  page('home-empty', '/'),
  busyHome,
  page('settings', '/', 'main h1', (page) => page.click('header button')),
  ...[...GAMES, 'dice'].map((game) => page(`new-${game}`, `/new/${game}`, 'main form', (page) => page.click('summary'))),
  ...[...GAMES, 'dice'].map((game) => page(`rules-${game}`, `/rules/${game}`, 'main table')),
  waiting(true),
  waiting(false),
  page('replay-file', '/r'),
  page('admin-door', '/admin'),
  { ...page('admin', '/admin', 'main form', admin), again: (page) => page.waitForSelector('.charts') },
  page('nowhere', '/nowhere/at/all'),
  page('error-no-table', '/t/NOSUCH'),
  page('error-no-replay', '/r/NOSUCH'),
  gone,
  flowers('hand', 'hand'),
  watched(flowers('hand', 'hand')),
  flowers('target', 'target'),
  flowers('decision', 'decision'),
  flowers('round', 'roundOver'),
  flowers('end', 'over', { rounds: 1 }),
  chips('first', 2, 'asked'),
  chips('first', 7, 'asked'),
  chips('later', 7, 'asked', { deals: 3, variant: 'stud8' }, 6),
  watched(chips('later', 7, 'asked', { deals: 3, variant: 'stud8' }, 6)),
  chips('later', 4, 'asked', { deals: 3 }, 7),
  chips('deal', 4, 'dealOver'),
  chips('deal', 7, 'dealOver'),
  chips('end', 4, 'over', { deals: 1 }),
  tricks('bid', 3, 'bid'),
  tricks('bid', 4, 'bid'),
  tricks('dabb', 4, 'dabb'),
  tricks('away', 2, 'away'),
  tricks('away', 4, 'away'),
  tricks('trump', 3, 'trump'),
  tricks('melds', 4, 'melds'),
  tricks('melds', 2, 'melds'),
  tricks('card', 2, 'card', { rounds: 1, target: null }, 3),
  tricks('card', 3, 'card', { rounds: 1, target: null }, 3),
  tricks('card', 4, 'card', { rounds: 1, target: null }, 3),
  watched(tricks('card', 4, 'card', { rounds: 1, target: null }, 3)),
  tricks('round', 3, 'roundOver', { rounds: 3, target: null }),
  tricks('end', 4, 'over'),
  town('night', 7, 'night'),
  town('night', 20, 'night'),
  town('speak', 10, 'speak'),
  town('vote', 10, 'vote'),
  town('vote', 20, 'vote'),
  watched(town('vote', 10, 'vote')),
  paused('talk', 10, '.scene.words'),
  flip,
  paused('count', 20, '.thread'),
  town('end', 10, 'over'),
  dice('asked', 2, 'asked'),
  dice('asked', 6, 'asked'),
  watched(dice('asked', 6, 'asked')),
  dice('end', 2, 'over'),
  finished('koikoi', 2, { rounds: 1 }, 12),
  finished('stud', 5, { deals: 1 }, 20),
  finished('binokel', 4, { rounds: 1, target: null }, 40),
  finished('mafia', 10, 'classic', 60),
];

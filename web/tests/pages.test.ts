import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { ADMIN, House, Visitor, openBrowser } from './house';
import { optionKind } from '../src/house/options';
import { de } from '../src/words/rules/de';
import { en } from '../src/words/rules/en';
import { ja } from '../src/words/rules/ja';
import { zh } from '../src/words/rules/zh';
import { moment, playOut, playUntil } from './koikoi';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

let house: House;
let browser: Browser;
/** A match of one round that is over. */
let finished: string;

beforeAll(async () => {
  [house, browser] = await Promise.all([House.open(), openBrowser()]);
  const seats = [{ kind: 'bot', bot: 'medium' }, { kind: 'bot', bot: 'easy' }];
  const order = { game: 'koikoi', rules: { rounds: 2 }, seats };
  const laid = await house.call<{ table_id: string }>('/api/v1/tables', { method: 'POST', body: JSON.stringify(order) });
  finished = laid.table_id;
});

afterAll(async () => {
  await browser?.close();
  await house?.close();
});

interface Violation {
  id: string;
  impact: string;
  nodes: string[];
}

async function violations(page: Page): Promise<Violation[]> {
  // The page's policy lets no foreign script in; the driver may still evaluate one.
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { axe } = window as unknown as { axe: { run(): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }> } };
    const found = (await axe.run()).violations.filter((one) => one.impact === 'serious' || one.impact === 'critical');
    return found.map((one) => ({ id: one.id, impact: one.impact, nodes: one.nodes.map((node) => node.html.slice(0, 160)) }));
  });
}

async function quickPlay(page: Page): Promise<void> {
  await page.goto('/');
  await page.click('[data-play=koikoi]');
  await page.waitForURL('**/t/*');
  await page.waitForSelector('.hand [data-card]');
}

const PAGES: [string, (page: Page) => Promise<unknown>][] = [
  ['lobby', (page) => page.goto('/')],
  ['new table', (page) => page.goto('/new/koikoi').then(() => page.waitForSelector('main form'))],
  ['rules', (page) => page.goto('/rules/koikoi').then(() => page.waitForSelector('table'))],
  ['settings', (page) => page.goto('/').then(() => page.click('header button'))],
  ['waiting table', async (page) => {
    await page.goto('/new/koikoi');
    await page.locator('label', { hasText: 'Seat 2' }).locator('select').selectOption('friend');
    await page.locator('form button.primary').click();
    await page.waitForSelector('text=Waiting for players');
  }],
  ['table', quickPlay],
  ['decision', async (page) => {
    for (let attempt = 0; attempt < 4; attempt += 1) {
      await quickPlay(page);
      if (await playUntil(page, 'decision')) return;
    }
  }],
  ['replay', (page) => page.goto(`/r/${finished}#12`).then(() => page.waitForSelector('.scrubber'))],
  ['replay from disk', (page) => page.goto('/r')],
  ['admin', async (page) => {
    await page.goto('/admin');
    await page.fill('input[type=password]', ADMIN);
    await page.click('form button.primary');
    await page.waitForSelector('.charts');
  }],
  ['nowhere', (page) => page.goto('/t/NOSUCH').then(() => page.waitForSelector('h1'))],
];

for (const scheme of ['light', 'dark'] as const) {
  for (const [size, options] of [['desktop', {}], ['phone', PHONE]] as const) {
    describe(`${scheme}, ${size}`, () => {
      for (const [name, open] of PAGES) {
        test(`${name} has no serious flaw for anyone, and nothing sticks out`, async () => {
          const visitor = await Visitor.come(browser, house, { colorScheme: scheme, ...options });
          const { page } = visitor;
          await open(page);
          expect(await violations(page)).toEqual([]);
          expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
          expect(visitor.complaints.filter((complaint) => !complaint.includes('404'))).toEqual([]);
          await visitor.leave();
        });
      }
    });
  }
}

test('a phone plays a round by tapping', async () => {
  const visitor = await Visitor.come(browser, house, PHONE);
  const { page } = visitor;
  await quickPlay(page);
  const hand = page.locator('.hand button.card');
  await hand.first().waitFor();
  for (const box of await hand.all()) {
    const size = (await box.boundingBox())!;
    expect(Math.min(size.width, size.height)).toBeGreaterThanOrEqual(44);
  }
  expect(await playUntil(page, 'hand')).toBe(true);
  const left = await page.locator('.hand [data-card]').count();
  await hand.first().tap();
  if ((await moment(page)) === 'target') await page.locator('.field button.card').first().tap();
  await page.waitForFunction((count) => document.querySelectorAll('.hand [data-card]').length < count, left);
  await visitor.leave();
});

describe('in each language', () => {
  const LANGUAGES = { en: 'Your turn', zh: '輪到你了', ja: 'あなたの番です', de: 'Du bist dran' };
  for (const [lang, turn] of Object.entries(LANGUAGES)) {
    test(`${lang} is spoken on the pages of a game`, async () => {
      const visitor = await Visitor.come(browser, house, { locale: lang === 'zh' ? 'zh-TW' : lang });
      const { page } = visitor;
      await quickPlay(page);
      await playUntil(page, 'hand');
      expect(await page.locator('.status').innerText()).toContain(turn);
      expect(await page.title()).toContain(turn);
      expect(await page.locator('.hand button.card').first().getAttribute('aria-label')).not.toMatch(/month|card\d|\{/);
      const text = await page.locator('body').innerText();
      expect(text).not.toMatch(/\{\w+\}|undefined|NaN/);
      await visitor.leave();
    });
  }

  test('every rule and every bot of the games drawn here is explained', async () => {
    interface Guide {
      game: string;
      presets: { name: string }[];
      options: { name: string; allowed: string }[];
      bots: { name: string }[];
    }
    const { games: offered } = await house.call<{ games: Guide[] }>('/api/v1/games');
    // A game without a folder of its own speaks for itself, in English.
    const games = offered.filter(({ game }) => existsSync(new URL(`../src/games/${game}`, import.meta.url)));
    const keys = games.flatMap(({ game, presets, options, bots }) => [
      ...presets.map(({ name }) => `${game}.preset.${name}`),
      ...options.map(({ name }) => `${game}.option.${name}`),
      ...bots.map(({ name }) => `${game}.bot.${name}`),
    ]);
    // What a page calls by another name than programs do, in English too.
    const titles = games.flatMap(({ game, presets, options }) => [
      ...presets.map(({ name }) => `${game}.title.${name}`),
      ...options.flatMap(({ name, allowed }) => {
        const kind = optionKind(allowed);
        return kind.kind === 'choice' ? kind.choices.map((one) => `${game}.choice.${name}.${one}`) : [];
      }),
    ]);
    expect(keys.length).toBeGreaterThan(60);
    expect(titles.length).toBeGreaterThan(40);
    for (const words of [en, zh, ja, de]) expect(titles.filter((key) => !(key in words))).toEqual([]);
    for (const words of [zh, ja, de]) expect(keys.filter((key) => !(key in words))).toEqual([]);
  });

  test('another is chosen in the settings and kept', async () => {
    const visitor = await Visitor.come(browser, house);
    const { page } = visitor;
    await page.goto('/');
    await page.click('header button');
    await page.locator('dialog select').first().selectOption('de');
    await page.waitForSelector('text=Einstellungen');
    await page.reload();
    await page.waitForSelector('text=Jetzt spielen');
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    await visitor.leave();
  });
});

describe('a replay', () => {
  test('is scrubbed, stepped and played, and its address names the moment', async () => {
    const visitor = await Visitor.come(browser, house);
    const { page } = visitor;
    await page.goto(`/r/${finished}`);
    await page.waitForSelector('.scrubber');
    await page.locator('input[type=range]').fill('9');
    expect(new URL(page.url()).hash).toBe('#9');
    const ninth = await page.locator('.koikoi').innerText();
    await page.click('[aria-label="Step"]');
    expect(new URL(page.url()).hash).toBe('#10');
    await page.keyboard.press('ArrowLeft');
    expect(await page.locator('.koikoi').innerText()).toBe(ninth);
    // A link to the moment opens the same.
    const other = await Visitor.come(browser, house);
    await other.page.goto(page.url());
    await other.page.waitForSelector('.scrubber');
    expect(await other.page.locator('.koikoi').innerText()).toBe(ninth);
    await other.leave();
    // All cards lie open afterwards; a seat's own eyes see one hand only.
    expect(await page.locator('.hidden-hand [data-card]').count()).toBeGreaterThan(0);
    await page.locator('.eyes select').selectOption('seat:0');
    await page.waitForFunction(() => document.querySelectorAll('.hidden-hand [data-card]').length === 0);
    expect(await page.locator('.hand [data-card]').count()).toBeGreaterThan(0);
    const before = Number(new URL(page.url()).hash.slice(1));
    await page.locator('.ways button', { hasText: '⇥' }).click();
    expect(Number(new URL(page.url()).hash.slice(1))).toBeGreaterThan(before);
    await page.locator('.scrubber select').selectOption('8');
    await page.click('[aria-label="Play"]');
    await page.waitForFunction((at) => Number(location.hash.slice(1)) > at + 3, before);
    expect(visitor.complaints).toEqual([]);
    await visitor.leave();
  });

  test('is read from a file', async () => {
    const visitor = await Visitor.come(browser, house);
    const { page } = visitor;
    const log = await house.fullLog(finished);
    await page.goto('/r');
    const buffer = Buffer.from(log.map((line) => JSON.stringify(line)).join('\n'));
    await page.locator('input[type=file]').setInputFiles({ name: 'match.jsonl', mimeType: 'application/x-ndjson', buffer });
    await page.waitForSelector('.scrubber');
    await page.locator('input[type=range]').fill('12');
    expect(await page.locator('.field [data-card]').count()).toBeGreaterThan(0);
    await page.goto('/r');
    await page.locator('input[type=file]').setInputFiles({ name: 'no.jsonl', mimeType: 'text/plain', buffer: Buffer.from('hello\n') });
    await page.waitForSelector('[role=alert]');
    await visitor.leave();
  });
});

describe('the front page', () => {
  test('weighs at most 250 kB and does not shift', async () => {
    const visitor = await Visitor.come(browser, house);
    const { page } = visitor;
    await page.addInitScript(() => {
      const shifts: number[] = [];
      Object.assign(window, { shifts });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value);
      }).observe({ type: 'layout-shift', buffered: true });
    });
    await page.goto('/', { waitUntil: 'networkidle' });
    const { weight, shift } = await page.evaluate(() => ({
      weight: performance
        .getEntriesByType('resource')
        .filter((entry) => entry.name.includes('/assets/'))
        .reduce((sum, entry) => sum + (entry as PerformanceResourceTiming).transferSize, 0),
      shift: (window as unknown as { shifts: number[] }).shifts.reduce((sum, one) => sum + one, 0),
    }));
    console.info(`the first load is ${(weight / 1024).toFixed(1)} kB; layout shift ${shift.toFixed(3)}`);
    expect(weight).toBeGreaterThan(10_000);
    expect(weight).toBeLessThan(250 * 1024);
    expect(shift).toBeLessThan(0.1);
    await visitor.leave();
  });

  test('leads back to a running game, and the back button works', async () => {
    const visitor = await Visitor.come(browser, house);
    const { page } = visitor;
    await quickPlay(page);
    const { code } = visitor;
    await page.goBack();
    await page.waitForSelector('text=Your games');
    await page.click('.way >> text=Go on');
    await page.waitForSelector('.hand [data-card]');
    expect(visitor.code).toBe(code);
    expect(await playOut(page, {}, 1)).toBe(false);
    await visitor.leave();
  });
});

test('the admin reads a log and ends a table', async () => {
  const player = await Visitor.come(browser, house);
  await quickPlay(player.page);
  const seats = [{ kind: 'human', name: 'Ada' }, { kind: 'human' }];
  const order = JSON.stringify({ game: 'koikoi', seats, unlisted: true });
  const { code } = await house.call<{ code: string }>('/api/v1/tables', { method: 'POST', body: order });
  const visitor = await Visitor.come(browser, house);
  const { page } = visitor;
  await page.goto('/admin');
  await page.fill('input[type=password]', 'not-the-token');
  await page.click('form button.primary');
  await page.waitForSelector('[role=alert]');
  await page.fill('input[type=password]', ADMIN);
  await page.click('form button.primary');
  await page.locator('tr', { hasText: player.code }).locator('button', { hasText: 'Full log' }).click();
  expect(await page.locator('pre').innerText()).toContain('"sequence":0');
  page.on('dialog', (dialog) => void dialog.accept());
  await page.locator('tr', { hasText: code }).locator('button', { hasText: 'Call off' }).click();
  await page.locator('tr', { hasText: code }).waitFor({ state: 'detached' });
  await visitor.leave();
  await player.leave();
});

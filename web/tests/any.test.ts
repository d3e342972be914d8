// Liar's Dice has no folder in this client: it is played at the table for any game.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { House, Visitor, openBrowser, overhear } from './house';
import { move, moment, numberLists, picture, playUntil, tells } from './any';

const GAME = 'dice';
/** Each challenge costs a die, so it ends soon. */
const SOON = ['CHALLENGE'];
const SHOTS = process.env.PARLOR_SHOTS;

let house: House;
let browser: Browser;

beforeAll(async () => {
  [house, browser] = await Promise.all([House.open(), openBrowser()]);
});

afterAll(async () => {
  await browser?.close();
  await house?.close();
});

const BOT = { kind: 'bot' };
const ADA = { kind: 'human', name: 'Ada' };

interface Laid {
  table_id: string;
  status: string;
}

const info = (code: string) => house.call<Laid>(`/api/v1/tables/${code}`);

describe('a game against a bot', () => {
  test('begins with one click on the front page and is played to its end', async () => {
    const visitor = await Visitor.come(browser, house);
    const { page } = visitor;
    await page.goto('/');
    await page.click(`[data-play=${GAME}]`);
    await page.waitForURL('**/t/*');
    expect(await playUntil(page, 'asked')).toBe(true);
    expect(await page.locator('.any [data-seat]').count()).toBe(2);
    expect(await page.locator('.any [data-seat="0"]').getAttribute('aria-current')).toBe('true');
    expect((await page.locator('.any .picture').innerText()).length).toBeGreaterThan(10);
    expect(await playUntil(page, 'over', { wish: SOON })).toBe(true);
    expect(await page.locator('.any .result').innerText()).toMatch(/ wins$/);
    expect(await page.locator('.any [data-seat].won').count()).toBe(1);
    expect(await page.locator('.any .log li').count()).toBeGreaterThan(5);
    await expect.poll(async () => (await info(visitor.code)).status).toBe('finished');
    expect(visitor.complaints).toEqual([]);
    await visitor.leave();
  });

  test('is played to its end by the keyboard alone', async () => {
    const visitor = await Visitor.come(browser, house);
    await visitor.layAndSit(house, { game: GAME, rules: { dice: 3 }, seats: [ADA, BOT, BOT] });
    expect(await playUntil(visitor.page, 'over', { wish: SOON, how: 'key' })).toBe(true);
    expect(visitor.complaints).toEqual([]);
    await visitor.leave();
  });

  test('lays its table, explains its rules and comes back in the lobby', async () => {
    const visitor = await Visitor.come(browser, house);
    const { page } = visitor;
    await page.goto(`/rules/${GAME}`);
    await page.waitForSelector('table');
    for (const option of ['dice', 'wild', 'turn_seconds']) expect(await page.locator('tbody code', { hasText: option }).count()).toBeGreaterThan(0);
    expect(await page.locator('h1').innerText()).not.toContain('undefined');
    await page.click(`a[href="/new/${GAME}"]`);
    await page.locator('form button.primary').click();
    await page.waitForURL('**/t/*');
    expect(await playUntil(page, 'asked')).toBe(true);
    await page.goto('/');
    await page.click(`a[href="/t/${(await page.locator('a[href^="/t/"]').first().getAttribute('href'))?.split('/').at(-1)}"]`);
    expect(await playUntil(page, 'asked')).toBe(true);
    expect(visitor.complaints).toEqual([]);
    await visitor.leave();
  });

  test('what is entered in the fields is what is sent', async () => {
    const visitor = await Visitor.come(browser, house);
    const { page } = visitor;
    await visitor.layAndSit(house, { game: GAME, seats: [ADA, BOT] });
    expect(await playUntil(page, 'asked')).toBe(true);
    const { table_id: table } = await info(visitor.code);
    const form = page.locator('form[data-form=BID]');
    await form.locator('select[name=quantity]').selectOption('4');
    await form.locator('select[name=face]').selectOption('3');
    await form.locator('button').click();
    const bid = async () => (await house.fullLog(table)).find(({ eventType, payload }) => eventType === 'BID_PLACED' && (payload as { bid: { quantity: number } }).bid.quantity === 4);
    await expect.poll(bid).toMatchObject({ payload: { bid: { quantity: 4, face: 3 } } });
    await visitor.leave();
  });

  test('shows the clock of whoever is at turn', async () => {
    const visitor = await Visitor.come(browser, house);
    await visitor.layAndSit(house, { game: GAME, rules: { turn_seconds: 60 }, seats: [ADA, BOT] });
    expect(await playUntil(visitor.page, 'asked')).toBe(true);
    const left = Number(await visitor.page.locator('.any [data-seat="0"] [role=timer]').innerText());
    expect(left).toBeGreaterThan(40);
    expect(left).toBeLessThanOrEqual(61);
    await visitor.leave();
  });
});

test('two browsers play each other to the end, over a reload, and travel in the replay', async () => {
  const [ada, ben] = [await Visitor.come(browser, house), await Visitor.come(browser, house)];
  await ada.layAndSit(house, { game: GAME, rules: { dice: 2 }, seats: [ADA, { kind: 'human' }] });
  await ben.page.goto(`/t/${ada.code}`);
  await ben.page.locator('section.panel button.primary').click();
  let isReloaded = false;
  for (let turn = 0; turn < 2000 && (await moment(ada.page)) !== 'over'; turn += 1) {
    for (const { page } of [ada, ben]) {
      if ((await moment(page)) !== 'asked') continue;
      if (!isReloaded && turn > 2) {
        const before = await picture(page);
        await page.reload();
        await page.waitForSelector('.any .ask button');
        expect(await picture(page)).toEqual(before);
        isReloaded = true;
      }
      await move(page, { wish: turn % 2 ? SOON : [] }).catch(() => 'waiting');
    }
    await ada.page.waitForTimeout(20);
  }
  expect(isReloaded).toBe(true);
  await expect.poll(() => moment(ben.page)).toBe('over');
  const [end, other] = await Promise.all([ada, ben].map(({ page }) => page.locator('.any .result').innerText()));
  expect(end).toMatch(/ wins$/);
  expect(other).toBe(end);
  expect([...ada.complaints, ...ben.complaints]).toEqual([]);

  const { page } = ada;
  await page.click('a[href^="/r/"]');
  await page.waitForSelector('.scrubber');
  const slider = page.locator('.scrubber input[type=range]');
  const last = Number(await slider.getAttribute('max'));
  expect(last).toBeGreaterThan(4);
  const first = await page.locator('.any .picture').innerText();
  await slider.focus();
  await slider.press('End');
  await page.waitForSelector('.any .result');
  expect(await page.locator('.any .result').innerText()).toBe(end);
  expect(await page.locator('.any .picture').innerText()).not.toBe(first);
  expect(await page.locator('.any .ask').count()).toBe(0);
  expect(await page.locator('.scrubber .mark').count()).toBeGreaterThan(0);
  await page.keyboard.press('ArrowLeft');
  await expect.poll(() => page.locator('.any .result').count()).toBe(0);
  await page.locator('.eyes select').selectOption('seat:1');
  await page.waitForFunction(() => location.search.includes('view=seat'));
  expect(ada.complaints).toEqual([]);

  // A log from disk is told in words too.
  const { table_id: table } = await info(ben.code);
  const log = (await house.fullLog(table)).map((line) => JSON.stringify(line)).join('\n');
  await page.goto('/r');
  await page.setInputFiles('input[type=file]', { name: 'game.jsonl', mimeType: 'application/x-ndjson', buffer: Buffer.from(log) });
  await page.waitForSelector('.any .picture');
  await Promise.all([ada.leave(), ben.leave()]);
});

for (const who of ['player', 'watcher'] as const) {
  test(`a ${who} is told no dice that are not open to them`, async () => {
    const player = await Visitor.come(browser, house);
    const observed = who === 'player' ? player : await Visitor.come(browser, house);
    const received = await overhear(observed.page);
    await player.layAndSit(house, { game: GAME, seed: 'hidden dice', seats: [ADA, BOT] });
    if (who === 'watcher') await observed.page.goto(`/t/${player.code}`);
    const { table_id: table } = await info(player.code);
    const read = async () => {
      const log = await house.fullLog(table);
      const rolled = log.findIndex(({ eventType }) => eventType === 'ROUND_ROLLED');
      const [own = [], other = []] = numberLists(log[rolled]?.payload);
      return { own, other, isOpen: log.some(({ eventType }) => eventType === 'CHALLENGED') };
    };
    const everything = async () => `${await received()}\n${await observed.page.content()}`;
    let checked = 0;
    for (let turn = 0; turn < 12; turn += 1) {
      if (!(await playUntil(player.page, 'asked'))) break;
      await observed.page.waitForTimeout(300);
      const bytes = await everything();
      const { own, other, isOpen } = await read();
      if (isOpen) break;
      expect([own.length, other.length]).toEqual([5, 5]);
      expect(own).not.toEqual(other);
      // The search finds what may be known.
      expect(tells(bytes, own), 'one’s own dice').toBe(who === 'player');
      expect(tells(bytes, other), `${other.join(' ')} are closed`).toBe(false);
      checked += 1;
      await move(player.page);
    }
    expect(checked).toBeGreaterThan(0);
    // Once somebody challenges they lie open, and the search finds them.
    await playUntil(player.page, 'over', { wish: SOON });
    const { other } = await read();
    await expect.poll(async () => tells(await everything(), other)).toBe(true);
    await player.leave();
    if (who === 'watcher') await observed.leave();
  });
}

async function flaws(page: Page): Promise<string[]> {
  await page.evaluate(readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
  return page.evaluate(async () => {
    const { axe: checker } = window as unknown as { axe: { run(within: string): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }> } };
    const { violations } = await checker.run('.any');
    return violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ').slice(0, 300)}`);
  });
}

for (const [size, viewport] of [['phone', { width: 360, height: 740 }], ['sideways', { width: 740, height: 360 }], ['desktop', { width: 1280, height: 800 }]] as const) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`on a ${size}, ${colorScheme}, six fit and nothing is out of reach`, async () => {
      const visitor = await Visitor.come(browser, house, { viewport, colorScheme });
      const { page } = visitor;
      await visitor.layAndSit(house, { game: GAME, seats: [ADA, BOT, BOT, BOT, BOT, BOT] });
      expect(await playUntil(page, 'asked')).toBe(true);
      if (SHOTS) await page.screenshot({ path: `${SHOTS}/any.${size}.${colorScheme}.png` });
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      const heights = await page.evaluate(() => [...document.querySelectorAll('.any :is(button, select)')].map((button) => button.getBoundingClientRect().height));
      expect(Math.min(...heights)).toBeGreaterThanOrEqual(44);
      expect(await flaws(page)).toEqual([]);
      expect(await page.locator('.any [style], .any[style]').count()).toBe(0);
      await visitor.leave();
    });
  }
}

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { House, Visitor, openBrowser, overhear } from './house';
import { PRESS, STAY, layTable, move, moment, picture, playUntil, type Moment } from './stud';

let house: House;
let browser: Browser;

beforeAll(async () => {
  // A deal's end stays long enough to be seen by a test on a busy machine.
  [house, browser] = await Promise.all([House.open('--round-pause', '2000'), openBrowser()]);
});

afterAll(async () => {
  await browser?.close();
  await house?.close();
});

const SHORT = { deals: 3, variant: 'mixed', rotationDeals: 1 };

describe('a match against bots', () => {
  test('begins with one click on the front page', async () => {
    const visitor = await Visitor.come(browser, house);
    await visitor.page.goto('/');
    await visitor.page.click('[data-play=stud]');
    await visitor.page.waitForURL('**/t/*');
    expect(await playUntil(visitor.page, 'asked')).toBe(true);
    await move(visitor.page);
    expect(await playUntil(visitor.page, 'dealOver')).toBe(true);
    expect(visitor.complaints).toEqual([]);
    await visitor.leave();
  });

  for (const how of ['click', 'key'] as const) {
    test(`is played to its end by ${how} alone`, async () => {
      const visitor = await Visitor.come(browser, house);
      const { code } = await layTable(visitor, house, SHORT, ['bot', 'bot', 'bot']);
      const seen = new Set<Moment>();
      expect(await playUntil(visitor.page, 'over', { how, seen })).toBe(true);
      expect(seen).toContain('asked');
      expect(seen).toContain('dealOver');
      expect(await visitor.page.locator('.ask h2').innerText()).toMatch(/wins the match|share the match|Nobody/);
      expect((await house.call<{ status: string }>(`/api/v1/tables/${code}`)).status).toBe('finished');
      expect(visitor.complaints).toEqual([]);
      await visitor.leave();
    });
  }

  test('names what the legal actions cost, and takes just that', async () => {
    const visitor = await Visitor.come(browser, house);
    const { page } = visitor;
    const { table } = await layTable(visitor, house, { deals: 2 }, ['bot', 'bot']);
    await playUntil(page, 'asked');
    const button = page.locator('[data-action]:not(:disabled)', { hasText: 'chips' }).last();
    const [deed, words] = [await button.getAttribute('data-action'), await button.innerText()];
    await button.click();
    const done = async () => ((await house.fullLog(table)) as unknown as Logged[]).find(({ eventType, payload }) => eventType === deed && payload.seat === 0);
    await expect.poll(done).toMatchObject({ payload: { paid: Number(/(\d+) chips/.exec(words)?.[1]) } });
    await visitor.leave();
  });

  test('shows a showdown in words, and which cards count', async () => {
    const visitor = await Visitor.come(browser, house);
    const { page } = visitor;
    await layTable(visitor, house, { deals: 40 }, ['bot', 'bot', 'bot']);
    for (let deal = 0; deal < 40; deal += 1) {
      if (!(await playUntil(page, 'dealOver'))) break;
      if ((await page.locator('.result .hand').count()) > 0) break;
      await playUntil(page, 'asked');
    }
    expect(await page.locator('.result .pot').first().innerText()).toMatch(/pot \d+.*: .* (wins|share) with .*(pair|high card|kind|straight|flush|full house)/i);
    expect(await page.locator('.card.counts').count()).toBeGreaterThanOrEqual(10);
    await visitor.leave();
  });
});

describe('a reload', () => {
  let unhurried: House;

  beforeAll(async () => {
    // A deal's end stays long enough for a reload to find it again.
    unhurried = await House.open('--round-pause', '60000');
  });

  afterAll(() => unhurried?.close());

  for (const wanted of ['asked', 'dealOver', 'over'] as const) {
    test(`in the moment “${wanted}” restores the same picture`, async () => {
      const visitor = await Visitor.come(browser, unhurried);
      const { page } = visitor;
      await layTable(visitor, unhurried, wanted === 'over' ? { deals: 1 } : SHORT, ['bot', 'bot', 'bot']);
      expect(await playUntil(page, wanted)).toBe(true);
      await page.waitForTimeout(200);
      const before = await picture(page);
      await page.reload();
      await page.waitForSelector('.stud .plate');
      expect(await picture(page)).toEqual(before);
      expect(visitor.complaints).toEqual([]);
      await visitor.leave();
    });
  }
});

describe('two people', () => {
  test('take time, sit out and come back, buy chips and leave', async () => {
    const [ada, ben] = [await Visitor.come(browser, house), await Visitor.come(browser, house)];
    const rules = { deals: 4, stacks: 60, rebuy: 200, lastStack: false };
    const { code } = await layTable(ada, house, rules, ['human']);
    await ben.page.goto(`/t/${code}`);
    await ben.page.locator('section.panel button.primary').click();
    await Promise.race([playUntil(ada.page, 'asked'), playUntil(ben.page, 'asked')]);
    const asked = (await moment(ada.page)) === 'asked' ? ada : ben;
    const other = asked === ada ? ben : ada;

    await asked.page.click('[data-aside=TIME_BANK]');
    await asked.page.waitForFunction(() => document.querySelector('[data-aside=TIME_BANK]')?.textContent?.includes('45'));
    await other.page.click('.menu .open');
    await other.page.click('[data-aside=SIT_OUT]');
    await asked.page.waitForSelector('.plate >> text=sits out');
    await other.page.click('.menu .open');
    await other.page.click('[data-aside=COME_BACK]');
    await asked.page.waitForFunction(() => !document.body.innerText.includes('sits out'));

    // Sixty chips are soon in the middle; whoever loses them buys new ones.
    let bought = false;
    for (let turn = 0; turn < 600 && !bought; turn += 1) {
      for (const { page } of [ada, ben]) {
        await move(page, PRESS).catch(() => 'waiting');
        if ((await page.locator('.mine .stack').innerText()) !== '0' || (await page.locator('.result').count()) === 0) continue;
        await page.click('.menu .open');
        await page.click('[data-aside=REBUY]', { timeout: 3000 });
        await page.waitForFunction(() => Number(document.querySelector('.mine .stack')?.textContent) >= 190);
        bought = true;
      }
    }
    expect(bought).toBe(true);

    await ben.page.click('.menu .open');
    await ben.page.click('[data-aside=LEAVE]');
    await ben.page.waitForURL((url) => url.pathname === '/');
    await ada.page.waitForSelector('.plate >> text=sits out');
    expect([...ada.complaints, ...ben.complaints]).toEqual([]);
    await Promise.all([ada.leave(), ben.leave()]);
  });
});

interface Logged {
  eventType: string;
  payload: { seat?: number; paid?: number; deck?: string[]; hands?: { seat: number; down: string[]; up: string }[]; cards?: { seat: number; card: string }[]; turnedUp?: { down: string[] }[]; shown?: { cards: string[] }[] };
}

/** The cards of a deal that a seat, or the public, may know by now. */
function known(log: Logged[], seat: number | null): Set<string> {
  return new Set(
    log.flatMap(({ eventType, payload }) => [
      ...(payload.hands ?? []).flatMap((hand) => [hand.up, ...(hand.seat === seat ? hand.down : [])]),
      ...(payload.cards ?? []).filter((dealt) => eventType !== 'DEAL_CARD_7TH' || dealt.seat === seat).map((dealt) => dealt.card),
      ...(payload.turnedUp ?? []).flatMap(({ down }) => down),
      ...(payload.shown ?? []).flatMap(({ cards }) => cards),
    ]),
  );
}

for (const who of ['player', 'watcher'] as const) {
  test(`a ${who} is told no card that is not open to them`, async () => {
    const player = await Visitor.come(browser, house);
    const observed = who === 'player' ? player : await Visitor.come(browser, house);
    const received = await overhear(observed.page);
    const { table, code } = await layTable(player, house, { deals: 2 }, ['bot', 'bot', 'bot']);
    if (who === 'watcher') await observed.page.goto(`/t/${code}`);
    let checked = 0;
    while ((await playUntil(player.page, 'asked')) && checked < 6) {
      await observed.page.waitForTimeout(200);
      const log = (await house.fullLog(table)) as unknown as Logged[];
      // Only the first deal: later ones are dealt from the same 52 cards.
      if (log.filter(({ eventType }) => eventType === 'DEAL_STARTED').length > 1) break;
      const deck = log.find(({ eventType }) => eventType === 'DEAL_INIT')?.payload.deck ?? [];
      expect(deck.length).toBe(52);
      const open = known(log, who === 'player' ? 0 : null);
      const arrived = async () => {
        const heard = await received();
        return [...open].filter((card) => heard.includes(`"${card}"`)).length;
      };
      await expect.poll(arrived).toBe(open.size);
      const bytes = await received();
      for (const card of deck.filter((one) => !open.has(one))) expect(bytes, `${card} is closed`).not.toContain(`"${card}"`);
      const drawn = await observed.page.evaluate(() => [...document.querySelectorAll<HTMLElement>('[data-card]')].map((card) => card.dataset.card ?? ''));
      for (const card of drawn) expect(open).toContain(card);
      checked += 1;
      await move(player.page, STAY);
    }
    expect(checked).toBeGreaterThan(0);
    await player.leave();
    if (who === 'watcher') await observed.leave();
  });
}

for (const [size, viewport] of [['phone', { width: 360, height: 740 }], ['sideways', { width: 740, height: 360 }], ['desktop', { width: 1280, height: 800 }]] as const) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`on a ${size}, ${colorScheme}, seven fit and nothing is out of reach`, async () => {
      const visitor = await Visitor.come(browser, house, { viewport, colorScheme });
      const { page } = visitor;
      await layTable(visitor, house, { deals: 2 }, ['bot', 'bot', 'bot', 'bot', 'bot', 'bot']);
      expect(await playUntil(page, 'asked')).toBe(true);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      const heights = await page.evaluate(() => [...document.querySelectorAll('.stud button')].map((button) => button.getBoundingClientRect().height));
      // A closed menu's buttons have no height at all.
      expect(Math.min(...heights.filter(Boolean))).toBeGreaterThanOrEqual(44);
      const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
      await page.evaluate(axe);
      const found = await page.evaluate(async () => {
        const { axe: checker } = window as unknown as { axe: { run(within: string): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }> } };
        const { violations } = await checker.run('.stud');
        return violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ').slice(0, 300)}`);
      });
      expect(found).toEqual([]);
      await visitor.leave();
    });
  }
}

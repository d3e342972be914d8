import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { moment, move, picture, playOut, playUntil, type Moment } from './binokel';
import { House, Visitor, openBrowser } from './house';

let house: House;
let browser: Browser;

beforeAll(async () => {
  [house, browser] = await Promise.all([House.open(), openBrowser()]);
});

afterAll(async () => {
  await browser?.close();
  await house?.close();
});

const SEED = '7'.repeat(64);

/** A table with bots on all seats but the first. */
const order = (players: number, rules: unknown = {}) => ({
  game: 'binokel',
  seed: SEED,
  rules,
  seats: [{ kind: 'human', name: 'Anna' }, ...['Bert', 'Cora', 'Dora'].slice(0, players - 1).map((name) => ({ kind: 'bot', name }))],
});

describe('a game against bots', () => {
  test('begins with one click on the front page and is played to its end by clicking', async () => {
    const visitor = await Visitor.come(browser, house);
    await visitor.page.goto('/');
    await visitor.page.click('[data-play=binokel]');
    await visitor.page.waitForURL('**/t/*');
    const seen = new Set<Moment>();
    expect(await playOut(visitor.page, { seen, upTo: 250 })).toBe(true);
    expect(await visitor.page.locator('.ask').innerText()).toMatch(/wins/);
    expect(seen).toContain('card');
    expect(visitor.complaints).toEqual([]);
    const table = await house.call<{ status: string }>(`/api/v1/tables/${visitor.code}`);
    expect(table.status).toBe('finished');
    await visitor.leave();
  });

  for (const [players, rules] of [
    [2, { rounds: 1, target: null }],
    [3, { preset: 'classic', rounds: 1, target: null }],
    [4, { rounds: 1, target: null, sevens: true, bidding: 'round_robin' }],
  ] as const) {
    test(`meets every phase with ${players} players`, async () => {
      const visitor = await Visitor.come(browser, house, { viewport: { width: 360, height: 740 } });
      await visitor.layAndSit(house, order(players, rules));
      const seen = new Set<Moment>();
      expect(await playOut(visitor.page, { seen, upTo: 9000 })).toBe(true);
      expect(['bid', 'dabb', 'away', 'trump', 'melds', 'card'].filter((phase) => !seen.has(phase as Moment))).toEqual([]);
      expect(visitor.complaints).toEqual([]);
      await visitor.leave();
    });
  }

  test('goes out, and the sheet says what it costs', async () => {
    const visitor = await Visitor.come(browser, house);
    await visitor.layAndSit(house, order(4, { rounds: 1, target: null }));
    expect(await playOut(visitor.page, { upTo: 9000, goesOut: true })).toBe(true);
    const bid = await visitor.page.locator('.badge strong').innerText();
    expect(await visitor.page.locator('.ask').innerText()).toContain(`−${bid}`);
    expect(await visitor.page.locator('aside tbody').innerText()).toContain(`−${bid}`);
    await visitor.leave();
  });

  test('announces a Durch in place of trump, and says what became of it', async () => {
    const visitor = await Visitor.come(browser, house);
    await visitor.layAndSit(house, order(3, { rounds: 1, target: null, durch: true }));
    const seen = new Set<Moment>();
    expect(await playOut(visitor.page, { upTo: 9000, announces: 'durch', seen })).toBe(true);
    expect(seen).not.toContain('melds');
    expect(await visitor.page.locator('.badge').innerText()).toContain('Durch');
    expect(await visitor.page.locator('.ask').innerText()).toMatch(/Durch (made: \+|lost: −)1000/);
    expect(visitor.complaints).toEqual([]);
    await visitor.leave();
  });

  test('is the same picture after a reload in every kind of moment', async () => {
    const visitor = await Visitor.come(browser, house);
    await visitor.layAndSit(house, order(4, { rounds: 1, target: null }));
    const { page } = visitor;
    for (const wanted of ['bid', 'dabb', 'away', 'trump', 'melds', 'card'] as const) {
      expect(await playUntil(page, wanted, { upTo: 9000 }), wanted).toBe(true);
      const before = await picture(page);
      await page.reload();
      await expect.poll(() => moment(page), { timeout: 10_000 }).toBe(wanted);
      expect(await picture(page), wanted).toEqual(before);
    }
    expect(await playOut(page)).toBe(true);
    const before = await picture(page);
    await page.reload();
    await expect.poll(() => moment(page), { timeout: 10_000 }).toBe('over');
    expect(await picture(page)).toEqual(before);
    await visitor.leave();
  });

  test('is played with the keyboard alone', async () => {
    const visitor = await Visitor.come(browser, house);
    await visitor.layAndSit(house, order(2, { rounds: 1, target: null }));
    const { page } = visitor;
    expect(await playUntil(page, 'card', { upTo: 150 })).toBe(true);
    const held = () => page.locator('.binokel > .hand [data-card]').count();
    const before = await held();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await expect.poll(held).toBe(before - 1);
    await expect.poll(() => moment(page)).toBe('card');
    await page.keyboard.press('1');
    await expect.poll(held).toBe(before - 2);
    await visitor.leave();
  });
});

test('axe finds nothing serious in any phase, light or dark', async () => {
  const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  for (const colorScheme of ['light', 'dark'] as const) {
    const visitor = await Visitor.come(browser, house, { colorScheme, viewport: { width: 360, height: 740 } });
    const { page } = visitor;
    await visitor.layAndSit(house, order(4, { rounds: 1, target: null }));
    for (const wanted of ['bid', 'dabb', 'away', 'trump', 'melds', 'card'] as const) {
      expect(await playUntil(page, wanted, { upTo: 9000 }), wanted).toBe(true);
      await page.evaluate(axe);
      const found = await page.evaluate(async () => {
        const { axe } = window as unknown as { axe: { run(): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }> } };
        const serious = (await axe.run()).violations.filter((one) => one.impact === 'serious' || one.impact === 'critical');
        return serious.map((one) => `${one.id}: ${one.nodes.map((node) => node.html).join(' ')}`);
      });
      expect(found, `${wanted}, ${colorScheme}`).toEqual([]);
    }
    await visitor.leave();
  }
});

test('two browsers play each other', async () => {
  const [host, guest] = await Promise.all([Visitor.come(browser, house), Visitor.come(browser, house)]);
  await host.layAndSit(house, { game: 'binokel', rules: { rounds: 1, target: null }, seats: [{ kind: 'human', name: 'Anna' }, { kind: 'human' }] });
  await guest.page.goto(`/t/${host.code}`);
  await guest.page.locator('section button.primary').click();
  expect(await playOut([host.page, guest.page], { upTo: 200 })).toBe(true);
  await expect.poll(() => moment(guest.page)).toBe('over');
  await expect.poll(() => moment(host.page)).toBe('over');
  const sheet = async (visitor: Visitor) => visitor.page.locator('aside tbody').innerText();
  expect(await sheet(guest)).toBe(await sheet(host));
  expect([...host.complaints, ...guest.complaints]).toEqual([]);
  await Promise.all([host.leave(), guest.leave()]);
});

test('a player is told no card that is not open to them', async () => {
  const visitor = await Visitor.come(browser, house);
  const { page } = visitor;
  await page.addInitScript(() => {
    const heard: string[] = [];
    const real = window.fetch;
    Object.assign(window, { heard });
    window.fetch = async (...given) => {
      const answer = await real(...given);
      if (!answer.url.includes('/api/') || !answer.body) return answer;
      const [copy, rest] = answer.body.tee();
      void copy.pipeThrough(new TextDecoderStream()).pipeTo(new WritableStream({ write: (text) => void heard.push(text) })).catch(() => {});
      return new Response(rest, { status: answer.status, statusText: answer.statusText, headers: answer.headers });
    };
  });
  await visitor.layAndSit(house, order(4, { rounds: 1, target: null }));
  for (const wanted of ['bid', 'melds', 'card'] as const) {
    expect(await playUntil(page, wanted, { upTo: 150 }), wanted).toBe(true);
    await page.waitForTimeout(300);
    const { bytes, open } = await page.evaluate(() => ({
      bytes: [...(window as unknown as { heard: string[] }).heard, JSON.stringify({ ...localStorage }), document.documentElement.outerHTML].join('\n'),
      open: [...document.querySelectorAll<HTMLElement>('[data-card]')].map((card) => card.dataset.card ?? ''),
    }));
    const told = new Set(bytes.match(/\b(kreuz|schippe|herz|bollen)-(buabe|ober|koenig|10|ass)-[01]\b/g));
    expect([...told].filter((card) => !open.includes(card)), wanted).toEqual([]);
    expect(told.size).toBeLessThan(40);
    await move(page, { upTo: 150 });
  }
  await visitor.leave();
});

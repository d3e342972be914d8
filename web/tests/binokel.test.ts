import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { moment, move, picture, playOut, playUntil, type Moment } from './binokel';
import { House, Visitor, openBrowser, overhear } from './house';

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

describe('a table for friends', () => {
  test('does without one who is away for a minute, and a table of bots alone does not', async () => {
    const visitor = await Visitor.come(browser, house);
    const { page } = visitor;
    for (const [who, takeover] of [['friend', 60], ['medium', undefined]] as const) {
      await page.goto('/new/binokel');
      await page.locator('label', { hasText: 'Seat 2' }).locator('select').selectOption(who);
      await page.locator('summary').click();
      expect(await page.locator('.rule', { hasText: 'takeover' }).locator('input').inputValue()).toBe(String(takeover ?? 0));
      await page.locator('form button.primary').click();
      await page.waitForURL('**/t/*');
      const table = await house.call<{ rules: { takeover?: number } }>(`/api/v1/tables/${visitor.code}`);
      expect(table.rules.takeover).toBe(takeover);
    }
    expect(visitor.complaints).toEqual([]);
    await visitor.leave();
  });
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

/** The cards that lie face up on a page. */
const openCards = ({ page }: Visitor) => page.evaluate(() => [...document.querySelectorAll<HTMLElement>('[data-card]')].map((card) => card.dataset.card ?? ''));

/** How far the play has come, as everyone sees it. */
const lies = ({ page }: Visitor) =>
  page.evaluate(() => ({
    phase: document.querySelector<HTMLElement>('[data-phase]')?.dataset.phase,
    middle: [...document.querySelectorAll<HTMLElement>('[data-middle] [data-card], [data-last-trick] [data-card]')].map((card) => card.dataset.card),
    said: [...document.querySelectorAll<HTMLElement>('.call, .badge, .seat .tags')].map((words) => words.textContent),
  }));

for (const who of ['player', 'watcher'] as const) {
  test(`a ${who} is told no card that is not open to them`, async () => {
    const player = await Visitor.come(browser, house);
    const observed = who === 'player' ? player : await Visitor.come(browser, house);
    const received = await overhear(observed.page);
    await player.layAndSit(house, order(4, { rounds: 1, target: null }));
    if (who === 'watcher') await observed.page.goto(`/t/${player.code}`);
    // Between two turns of the player nothing is played that is not in this trick or the last.
    const open = new Set<string>();
    let played = 0;
    let told = new Set<string>();
    while (played < 5) {
      const now = await moment(player.page);
      expect(now).not.toBe('over');
      if (now === 'waiting') {
        await player.page.waitForTimeout(20);
        continue;
      }
      await expect.poll(() => lies(observed)).toEqual(await lies(player));
      for (const card of await openCards(observed)) open.add(card);
      const bytes = (await received()) + (await observed.page.content());
      told = new Set(bytes.match(/\b(kreuz|schippe|herz|bollen)-(buabe|ober|koenig|10|ass)-[01]\b/g));
      expect([...told].filter((card) => !open.has(card)), now).toEqual([]);
      if (now === 'bid' && who === 'watcher') expect(told.size).toBe(0);
      if (now === 'card') played += 1;
      await move(player.page, { upTo: 150 });
    }
    expect(told.size).toBeGreaterThan(8);
    expect(told.size).toBeLessThan(40);
    await player.leave();
    if (who === 'watcher') await observed.leave();
  });
}

test('a replay is scrubbed, and seen with any eyes', async () => {
  const bots = ['Bert', 'Cora', 'Dora', 'Emil'].map((name) => ({ kind: 'bot', name }));
  const body = JSON.stringify({ ...order(4, { rounds: 1, target: null }), seats: bots });
  const { table_id: table } = await house.call<{ table_id: string }>('/api/v1/tables', { method: 'POST', body });
  await expect.poll(async () => (await house.call<{ status: string }>(`/api/v1/tables/${table}`)).status).toBe('finished');
  const visitor = await Visitor.come(browser, house);
  const { page } = visitor;
  await page.goto(`/r/${table}`);
  const bar = page.locator('.scrubber input[type=range]');
  const last = Number(await bar.getAttribute('max'));
  const phases = new Map<string, number>();
  for (let part = 1; part <= 20; part += 1) {
    const position = Math.ceil((last * part) / 20);
    await bar.fill(String(position));
    phases.set((await page.locator('[data-phase]').getAttribute('data-phase')) ?? '', position);
  }
  expect([...phases.keys()]).toEqual(expect.arrayContaining(['bidding', 'tricks', 'finished']));
  // There and back again is the same picture, and so is a link to the moment.
  const middle = String(Math.floor(last / 2));
  await bar.fill(middle);
  const before = await picture(page);
  await page.click('[aria-label="Step"]');
  await page.click('[aria-label="Step back"]');
  expect(await picture(page)).toEqual(before);
  await page.locator('.ways button', { hasText: '⇥' }).click();
  expect(new URL(page.url()).hash).not.toBe(`#${middle}`);
  await page.goto(`/r/${table}?view=postmortem#${middle}`);
  await page.reload();
  await page.waitForSelector('[data-phase]');
  expect(await picture(page)).toEqual(before);

  // While they bid, nobody's cards are known but one's own.
  await bar.fill(String(phases.get('bidding')));
  const hand = page.locator('.binokel > .hand [data-card]');
  const others = page.locator('.seat .hand [data-card]');
  const eyes = async (view: string) => {
    await page.locator('.eyes select').selectOption(view);
    await page.waitForURL(`**?view=${view}*`);
    return [await hand.count(), await others.count()];
  };
  const [own, theirs] = await eyes('postmortem');
  expect(own).toBeGreaterThan(0);
  expect(theirs).toBeGreaterThan(own ?? 0);
  expect(await eyes('public')).toEqual([0, 0]);
  for (const seat of [0, 1, 2, 3]) {
    const [seen, closed] = await eyes(`seat:${seat}`);
    expect(seen).toBeGreaterThan(0);
    expect(closed).toBe(0);
  }
  expect(visitor.complaints).toEqual([]);
  await visitor.leave();
});

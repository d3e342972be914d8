// Nothing hidden is in the page: whatever the browser received, stored or
// folded is searched for the cards its player may not know.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { House, Visitor, openBrowser, overhear } from './house';
import { move, playUntil } from './koikoi';

let house: House;
let browser: Browser;

beforeAll(async () => {
  [house, browser] = await Promise.all([House.open(), openBrowser()]);
});

afterAll(async () => {
  await browser?.close();
  await house?.close();
});

/** Every text anywhere in a value. */
function texts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (value && typeof value === 'object') return Object.values(value).flatMap(texts);
  return [];
}

const isCard = (text: string) => /^(0[1-9]|1[0-2])[1-4][1-3]$/.test(text);

for (const who of ['player', 'watcher'] as const) {
  test(`a ${who} of Koi-Koi is told no card that is not open to them`, async () => {
    const player = await Visitor.come(browser, house);
    const observed = who === 'player' ? player : await Visitor.come(browser, house);
    const received = await overhear(observed.page);
    await player.page.goto('/');
    await player.page.click('[data-play=koikoi]');
    await player.page.waitForURL('**/t/*');
    if (who === 'watcher') await observed.page.goto(`/t/${player.code}`);
    const { table_id: table } = await house.call<{ table_id: string }>(`/api/v1/tables/${player.code}`);
    let checked = 0;
    for (let turn = 0; turn < 4; turn += 1) {
      if (!(await playUntil(player.page, 'hand'))) break;
      await observed.page.waitForTimeout(300);
      const open = await observed.page.evaluate(() => [...document.querySelectorAll<HTMLElement>('[data-card]')].map((card) => card.dataset.card ?? ''));
      const round = await observed.page.locator('.round').innerText();
      const bytes = await received();
      // Only the first round: in later ones every card has been seen before.
      if (!round.startsWith('Round 1 ')) break;
      const all = new Set((await house.fullLog(table)).flatMap(texts).filter(isCard));
      expect(all.size).toBe(48);
      const closed = [...all].filter((card) => !open.includes(card));
      expect(closed.length).toBeGreaterThan(8);
      for (const card of closed) expect(bytes, `${card} is closed`).not.toContain(`"${card}"`);
      checked += 1;
      await move(player.page);
    }
    expect(checked).toBeGreaterThan(0);
    const tokens = JSON.stringify(await observed.page.evaluate(() => performance.getEntriesByType('resource').map((entry) => entry.name)));
    expect(tokens).not.toMatch(/token=|Bearer/);
    await player.leave();
    if (who === 'watcher') await observed.leave();
  });
}

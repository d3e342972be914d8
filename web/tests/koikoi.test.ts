import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { House, Visitor, openBrowser } from './house';
import { moment, move, picture, playOut, playUntil, type Moment } from './koikoi';

let house: House;
let browser: Browser;

beforeAll(async () => {
  [house, browser] = await Promise.all([House.open(), openBrowser()]);
});

afterAll(async () => {
  await browser?.close();
  await house?.close();
});

/** Lays a table by the form, with so many rounds. */
async function layTable(visitor: Visitor, rounds: number, opponent: 'friend' | 'easy' | 'medium'): Promise<void> {
  const { page } = visitor;
  await page.goto('/new/koikoi');
  await page.locator('label', { hasText: 'Seat 2' }).locator('select').selectOption(opponent);
  await page.locator('summary').click();
  await page.locator('.rule', { hasText: 'rounds' }).first().locator('input').fill(String(rounds));
  await page.locator('form button.primary').click();
  await page.waitForURL('**/t/*');
}

describe('a match against a bot', () => {
  test('begins with one click on the front page and is played to its end by clicking', async () => {
    const visitor = await Visitor.come(browser, house);
    await visitor.page.goto('/');
    await visitor.page.click('[data-play=koikoi]');
    await visitor.page.waitForURL('**/t/*');
    const seen = new Set<Moment>();
    expect(await playOut(visitor.page, { seen, dares: false })).toBe(true);
    expect(await visitor.page.locator('.ask').innerText()).toMatch(/wins the match|drawn/);
    expect(seen).toContain('hand');
    expect(visitor.complaints).toEqual([]);
    const table = await house.call<{ status: string }>(`/api/v1/tables/${visitor.code}`);
    expect(table.status).toBe('finished');
    await visitor.leave();
  });

  test('can be played by keyboard alone', async () => {
    const visitor = await Visitor.come(browser, house);
    const { page } = visitor;
    await layTable(visitor, 1, 'easy');
    for (let turn = 0; turn < 400; turn += 1) {
      const now = await moment(page);
      if (now === 'over') break;
      if (now === 'hand' || now === 'target') await page.keyboard.press('1');
      else if (now === 'decision') await page.keyboard.press('Enter');
      else await page.waitForTimeout(30);
    }
    expect(await moment(page)).toBe('over');
    expect(visitor.complaints).toEqual([]);
    await visitor.leave();
  });

  test('can be played by dragging a card onto the field', async () => {
    const visitor = await Visitor.come(browser, house);
    const { page } = visitor;
    await layTable(visitor, 3, 'easy');
    await playUntil(page, 'hand');
    const before = await page.locator('.hand [data-card]').count();
    const card = page.locator('.hand button.card').first();
    const id = await card.getAttribute('data-card');
    const from = (await card.boundingBox())!;
    const month = id!.slice(0, 2);
    const target = page.locator(`.field [data-field-card^="${month}"]`).first();
    const to = ((await target.count()) > 0 ? await target.boundingBox() : await page.locator('.field').boundingBox())!;
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
    await page.mouse.down();
    await page.mouse.move(from.x + 30, from.y - 40, { steps: 4 });
    await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 6 });
    await page.mouse.up();
    await page.waitForFunction((count) => document.querySelectorAll('.hand [data-card]').length < count, before);
    expect(await page.locator(`.hand [data-card="${id}"]`).count()).toBe(0);
    await visitor.leave();
  });
});

describe('a reload', () => {
  for (const wanted of ['hand', 'target', 'decision', 'over'] as const) {
    test(`in the moment “${wanted}” restores the same picture`, async () => {
      const visitor = await Visitor.come(browser, house);
      const { page } = visitor;
      // Of this seed every kind of moment comes within a few moves.
      const seats = [{ kind: 'human', name: 'Ada' }, { kind: 'bot', bot: 'easy' }];
      await visitor.layAndSit(house, { game: 'koikoi', rules: { rounds: wanted === 'over' ? 1 : 3 }, seats, seed: 'web-4' });
      await page.waitForSelector('.hand [data-card]');
      expect(wanted === 'over' ? await playOut(page) : await reach(page, wanted)).toBe(true);
      const before = await picture(page);
      await page.reload();
      await page.waitForSelector('.koikoi .place [data-card], .ask h2');
      await page.waitForFunction(() => document.querySelector('.hand [data-card], .ask h2') !== null);
      expect(await picture(page)).toEqual(before);
      expect(visitor.complaints).toEqual([]);
      await visitor.leave();
    });
  }

  /** A target to choose that the house asks for, not one this page remembers. */
  async function reach(page: Visitor['page'], wanted: Moment): Promise<boolean> {
    for (let attempt = 0; attempt < 400; attempt += 1) {
      const now = await moment(page);
      const isAsked = wanted !== 'target' || (await page.locator('.pile [data-card]').count()) > 0;
      if (now === wanted && isAsked) return true;
      if (now === 'over') return false;
      await move(page, { dares: true }).catch(() => 'waiting');
    }
    return false;
  }
});

describe('two people', () => {
  test('play each other to the end, one by a code the other passed on', async () => {
    const host = await Visitor.come(browser, house);
    const guest = await Visitor.come(browser, house);
    await layTable(host, 2, 'friend');
    await host.page.waitForSelector('text=Waiting for players');
    await guest.page.goto('/');
    await guest.page.locator('label', { hasText: 'Your name' }).locator('input').fill('Yuki');
    await guest.page.locator('label', { hasText: 'Code of a table' }).locator('input').fill(host.code.toLowerCase());
    await guest.page.click('text=Go there');
    await guest.page.click('text=Sit down here');
    const [first, second] = await Promise.all([playOut(host.page), playOut(guest.page)]);
    expect([first, second]).toEqual([true, true]);
    expect(await host.page.locator('.ask h2').innerText()).toBe(await guest.page.locator('.ask h2').innerText());
    // Both want another match, and meet at the next table.
    await Promise.all([host.page.click('text=Play again'), guest.page.click('text=Play again')]);
    await Promise.all([host, guest].map(({ page }) => page.waitForSelector('.hand [data-card]')));
    expect(host.code).toBe(guest.code);
    expect([...host.complaints, ...guest.complaints]).toEqual([]);
    await host.leave();
    await guest.leave();
  });

  test('a third may watch, and sees no hand', async () => {
    const host = await Visitor.come(browser, house);
    await layTable(host, 2, 'easy');
    await host.page.waitForSelector('.hand [data-card]');
    const watcher = await Visitor.come(browser, house);
    await watcher.page.goto(`/t/${host.code}`);
    await watcher.page.waitForSelector('.field [data-card]');
    expect(await watcher.page.locator('.hand [data-card]').count()).toBe(0);
    expect(await watcher.page.locator('button.card').count()).toBe(0);
    await move(host.page);
    await host.page.waitForFunction(() => document.querySelectorAll('.hand [data-card]').length < 8);
    await watcher.page.waitForFunction(() => document.querySelectorAll('.hand > div').length < 8);
    await host.leave();
    await watcher.leave();
  });

  test('one of them in two tabs sees the same in both', async () => {
    const player = await Visitor.come(browser, house);
    await layTable(player, 2, 'easy');
    await playUntil(player.page, 'hand');
    const second = await player.page.context().newPage();
    await second.goto(`/t/${player.code}`);
    await second.waitForSelector('.hand [data-card]');
    const left = await second.locator('.hand [data-card]').count();
    await move(player.page);
    await second.waitForFunction((count) => document.querySelectorAll('.hand [data-card]').length < count, left);
    await Promise.all([playUntil(player.page, 'hand'), second.waitForSelector('.hand button.card')]);
    expect(await picture(second)).toEqual(await picture(player.page));
    await player.leave();
  });
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { House, Visitor, openBrowser } from './house';
import { move, picture, playUntil } from './koikoi';

let house: House;
let browser: Browser;

beforeAll(async () => {
  [house, browser] = await Promise.all([House.open(), openBrowser()]);
});

afterAll(async () => {
  await browser?.close();
  await house?.close();
});

/** What the browser grumbles while there is no house is no fault of the page. */
const isFault = (complaint: string) => !/ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE|ERR_INTERNET_DISCONNECTED|Failed to load resource/.test(complaint);

async function begin(visitor: Visitor): Promise<void> {
  await visitor.page.goto('/');
  await visitor.page.click('[data-play=koikoi]');
  await visitor.page.waitForURL('**/t/*');
  await playUntil(visitor.page, 'hand');
}

test('a match goes on after the house is killed and opened again, without a reload', async () => {
  const visitor = await Visitor.come(browser, house);
  const { page } = visitor;
  await begin(visitor);
  await page.evaluate(() => Object.assign(window, { neverReloaded: true }));
  for (let fall = 0; fall < 3; fall += 1) {
    await move(page);
    await playUntil(page, 'hand');
    const before = await picture(page);
    await house.kill();
    await page.waitForSelector('text=The connection is lost');
    expect(await picture(page)).toEqual(before);
    await house.start();
    await page.waitForSelector('text=The connection is lost', { state: 'detached' });
    expect(await picture(page)).toEqual(before);
  }
  expect(await page.evaluate(() => 'neverReloaded' in window)).toBe(true);
  // What the page has folded is what a fresh one folds from the house's own log.
  await move(page);
  await playUntil(page, 'hand');
  const kept = await picture(page);
  await page.reload();
  await page.waitForSelector('.hand [data-card]');
  expect(await picture(page)).toEqual(kept);
  expect(visitor.complaints.filter(isFault)).toEqual([]);
  await visitor.leave();
});

test('a move made while the house is away arrives once when it is back', async () => {
  const visitor = await Visitor.come(browser, house);
  const { page } = visitor;
  await begin(visitor);
  const left = await page.locator('.hand [data-card]').count();
  await house.kill();
  await page.locator('.hand button.card').first().click();
  if ((await page.locator('.field button.card').count()) > 0) await page.locator('.field button.card').first().click();
  await page.waitForTimeout(300);
  await house.start();
  await page.waitForFunction((count) => document.querySelectorAll('.hand [data-card]').length === count - 1, left);
  await playUntil(page, 'hand');
  expect(await page.locator('.hand [data-card]').count()).toBe(left - 1);
  await visitor.leave();
});

test('a lost network is found again', async () => {
  const visitor = await Visitor.come(browser, house);
  const { page } = visitor;
  await begin(visitor);
  const before = await picture(page);
  await page.context().setOffline(true);
  await page.waitForSelector('text=The connection is lost');
  await page.context().setOffline(false);
  await page.waitForSelector('text=The connection is lost', { state: 'detached' });
  expect(await picture(page)).toEqual(before);
  const left = await page.locator('.hand [data-card]').count();
  await move(page);
  await playUntil(page, 'hand');
  expect(await page.locator('.hand [data-card]').count()).toBeLessThan(left);
  await visitor.leave();
});

test('a table that is gone for good is told in a sentence, with a way out', async () => {
  const visitor = await Visitor.come(browser, house);
  const { page } = visitor;
  await begin(visitor);
  await page.route('**/events?*', (route) => route.fulfill({ status: 410, json: { error: 'gone', code: 'GONE' } }));
  await page.reload();
  await page.waitForSelector('[role=alert]:has-text("The table is closed")');
  expect(await page.locator('[role=alert] a[href="/"]').count()).toBe(1);
  // Nothing is asked for behind one's back.
  let asked = 0;
  page.on('request', (request) => (asked += Number(request.url().includes('/events?'))));
  await page.waitForTimeout(1500);
  expect(asked).toBe(0);
  await page.unroute('**/events?*');
  await page.click('text=Try again');
  await page.waitForSelector('.hand [data-card]');
  await visitor.leave();
});

test('whoever has lost the seat goes on watching', async () => {
  const visitor = await Visitor.come(browser, house);
  const { page } = visitor;
  await begin(visitor);
  await page.evaluate(() => {
    const [seat] = JSON.parse(localStorage.getItem('parlor.seats') ?? '[]') as object[];
    localStorage.setItem('parlor.seats', JSON.stringify([{ ...seat, token: 'of-another-house' }]));
  });
  await page.reload();
  await page.waitForSelector('.status:has-text("no longer yours; you are watching")');
  await page.waitForSelector('.field [data-card]');
  expect(await page.locator('.hand [data-card]').count()).toBe(0);
  await visitor.leave();
});

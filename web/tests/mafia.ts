// How a person plays Mafia here: by clicking seats, and by saying something.

import type { Page } from 'playwright-core';
import type { House } from './house';

export type Moment = 'night' | 'sleep' | 'speak' | 'vote' | 'over' | 'waiting';

export async function moment(page: Page): Promise<Moment> {
  return page.evaluate(() => {
    const has = (selector: string) => document.querySelector(selector) !== null;
    if (has('a[href^="/r/"]')) return 'over';
    // What was just done is still on its way.
    if (has('.ask[aria-busy=true]')) return 'waiting';
    if (has('.ask textarea')) return 'speak';
    if (has('.ask.awaited[data-asked=vote]') && has('button[data-seat]')) return 'vote';
    if (has('.ask.awaited[data-asked=act]')) return has('button[data-seat]') ? 'night' : 'sleep';
    return 'waiting';
  });
}

/** What the theatre shows, but for clocks. */
export async function picture(page: Page): Promise<unknown> {
  return page.evaluate(() => {
    const words = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)].map((element) => element.innerText);
    return {
      seats: [...document.querySelectorAll('[data-seat]')].map((seat) => seat.getAttribute('aria-label')),
      phase: words('.phase strong'),
      scene: words('.scene'),
      threads: [...document.querySelectorAll('.thread')].map((thread) => thread.getAttribute('d')).sort(),
      chronicle: words('.chronicle [role=log]'),
      ask: words('.ask .prompt, .ask .title, .ask button'),
    };
  });
}

/** One move, if one is asked for. */
export async function move(page: Page, seen?: Set<Moment>, now?: Moment): Promise<Moment> {
  now ??= await moment(page);
  seen?.add(now);
  if (now === 'night' || now === 'vote') await page.locator('button[data-seat]').first().click({ timeout: 1000 });
  else if (now === 'sleep') await page.click('.ask button.primary:not(:disabled)', { timeout: 1000 });
  else if (now === 'speak') {
    await page.fill('.ask textarea', 'I have seen nothing, and I trust nobody.', { timeout: 1000 });
    await page.press('.ask textarea', 'Enter', { timeout: 1000 });
  } else await page.waitForTimeout(20);
  return now;
}

/** Plays until it is over; false if it never ends. */
export async function playOut(page: Page, seen?: Set<Moment>, patience = 3000): Promise<boolean> {
  for (let turn = 0; turn < patience; turn += 1) {
    if ((await move(page, seen).catch(() => 'waiting')) === 'over') return true;
  }
  return false;
}

export async function playUntil(page: Page, wanted: Moment, patience = 1500): Promise<boolean> {
  for (let turn = 0; turn < patience; turn += 1) {
    const now = await moment(page);
    if (now === wanted) return true;
    if (now === 'over') return false;
    await move(page, undefined, now).catch(() => 'waiting');
  }
  return false;
}

interface Laid {
  table_id: string;
  code: string;
  token: string;
  seat: number;
}

export interface Order {
  rules?: string | Record<string, unknown>;
  bots: number;
  seed?: string;
}

/** Lays a table for one person among bots that speak. */
export async function layTable(house: House, { rules = '7p2m', bots, seed }: Order): Promise<Laid> {
  const seats = [{ name: 'Mara', kind: 'human' }, ...Array.from({ length: bots }, () => ({ kind: 'bot', bot: 'hard' }))];
  const body = JSON.stringify({ game: 'mafia', rules, seats, ...(seed && { seed }) });
  return house.call<Laid>('/api/v1/tables', { method: 'POST', body, headers: { 'Content-Type': 'application/json' } });
}

/** Opens a table whose seat was taken outside of the browser. */
export async function sitAt(page: Page, { table_id, code, token, seat }: Laid): Promise<void> {
  const kept = [{ table: table_id, code, game: 'mafia', seat, token, at: 1 }];
  await page.goto('/');
  await page.evaluate((seats) => localStorage.setItem('parlor.seats', JSON.stringify(seats)), kept);
  await page.goto(`/t/${code}`);
  await page.waitForSelector('.mafia [data-seat]');
}

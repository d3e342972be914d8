// How a person plays stud here: by the three buttons.

import type { Page } from 'playwright-core';
import type { House, Visitor } from './house';

export type Moment = 'asked' | 'dealOver' | 'over' | 'waiting';
/** What to press, the best first. */
export type Wish = readonly string[];

export const STAY: Wish = ['CHECK', 'CALL', 'BRING_IN', 'FOLD'];
export const PRESS: Wish = ['RAISE', 'BET', 'COMPLETE', 'CALL', 'CHECK', 'BRING_IN', 'FOLD'];

const KEYS: Record<string, string> = { FOLD: 'f', CHECK: 'c', CALL: 'c', BRING_IN: 'c', RAISE: 'r', BET: 'r', COMPLETE: 'r' };

export async function moment(page: Page): Promise<Moment> {
  return page.evaluate(() => {
    const has = (selector: string) => document.querySelector(selector) !== null;
    if (has('a[href^="/r/"]')) return 'over';
    if (has('[data-action]:not(:disabled)')) return 'asked';
    return has('.ask .result') ? 'dealOver' : 'waiting';
  });
}

/** What the table shows: every card in its place, plates, bets, pots, buttons. */
export async function picture(page: Page): Promise<unknown> {
  return page.evaluate(() => {
    const words = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)].map((element) => element.innerText);
    const hands = [...document.querySelectorAll<HTMLElement>('.stud .hand[role=group]')].map((hand) => ({
      whose: hand.getAttribute('aria-label'),
      cards: [...hand.querySelectorAll<HTMLElement>('.card')].map((card) => card.dataset.card ?? 'closed'),
    }));
    return { hands, plates: words('.plate'), bets: words('.bet'), pots: words('.pot'), info: words('.info'), ask: words('.ask'), hold: words('.words') };
  });
}

/** One move, if one is asked for. */
export async function move(page: Page, wish: Wish = STAY, how: 'click' | 'key' = 'click'): Promise<Moment> {
  const now = await moment(page);
  if (now !== 'asked') {
    await page.waitForTimeout(25);
    return now;
  }
  for (const deed of wish) {
    const button = page.locator(`[data-action=${deed}]:not(:disabled)`);
    if ((await button.count()) === 0) continue;
    if (how === 'click') await button.click({ timeout: 2000 });
    else await page.keyboard.press(KEYS[deed] ?? '');
    break;
  }
  return now;
}

interface Play {
  wish?: Wish;
  how?: 'click' | 'key';
  seen?: Set<Moment>;
}

/** Plays on to a moment; false if the match ends before it, or never comes there. */
export async function playUntil(page: Page, wanted: Moment, { wish, how, seen }: Play = {}, patience = 4000): Promise<boolean> {
  for (let turn = 0; turn < patience; turn += 1) {
    const now = await moment(page);
    seen?.add(now);
    if (now === wanted) return true;
    if (now === 'over') return false;
    await move(page, wish, how).catch(() => 'waiting');
  }
  return false;
}

export interface Table {
  table: string;
  code: string;
  token: string;
}

/** Lays a table with these rules and gives the visitor its first seat. */
export async function layTable(visitor: Visitor, house: House, rules: Record<string, unknown>, others: ('bot' | 'human')[]): Promise<Table> {
  const body = JSON.stringify({ game: 'stud', rules, seats: [{ kind: 'human', name: 'Ada' }, ...others.map((kind) => (kind === 'bot' ? { kind, bot: 'easy' } : { kind }))] });
  const headers = { 'Content-Type': 'application/json' };
  const laid = await house.call<{ table_id: string; code: string; token: string }>('/api/v1/tables', { method: 'POST', headers, body });
  const { table_id: table, code, token } = laid;
  await visitor.page.goto('/');
  await visitor.page.evaluate((seat) => localStorage.setItem('parlor.seats', JSON.stringify([seat])), { table, code, token, game: 'stud', seat: 0, at: Date.now() });
  await visitor.page.goto(`/t/${code}`);
  return { table, code, token };
}

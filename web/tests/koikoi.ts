// How a person plays Koi-Koi here: by clicking what lifts.

import type { Page } from 'playwright-core';

export type Moment = 'hand' | 'target' | 'decision' | 'over' | 'waiting';

export async function moment(page: Page): Promise<Moment> {
  return page.evaluate(() => {
    const has = (selector: string) => document.querySelector(selector) !== null;
    if (has('a[href^="/r/"]')) return 'over';
    if (has('[data-decision]:not(:disabled)')) return 'decision';
    if (has('.field button.card')) return 'target';
    if (has('.hand button.card')) return 'hand';
    return 'waiting';
  });
}

/** What the table shows: every card in its place, the plates, the panel. */
export async function picture(page: Page): Promise<unknown> {
  return page.evaluate(() => {
    const cards = (selector: string) => [...document.querySelectorAll<HTMLElement>(`${selector} [data-card]`)].map((card) => card.dataset.card).sort();
    const words = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)].map((element) => element.innerText.replace(/\s+\d+$/, ''));
    return {
      hand: cards('.hand'),
      field: cards('.field'),
      theirs: cards('.captures-theirs'),
      mine: cards('.captures-mine'),
      backs: document.querySelectorAll('.hidden-hand > div').length,
      plates: words('.plate'),
      pile: words('.left'),
      ask: words('.ask'),
    };
  });
}

interface Choice {
  /** Calls koi-koi where it may. */
  dares?: boolean;
  seen?: Set<Moment>;
}

/** One move, if one is asked for. */
export async function move(page: Page, { dares = false, seen }: Choice = {}): Promise<Moment> {
  const now = await moment(page);
  seen?.add(now);
  if (now === 'decision') await page.click(`[data-decision=${dares ? 'koikoi' : 'stop'}]:not(:disabled)`);
  else if (now === 'target') await page.click('.field button.card');
  else if (now === 'hand') {
    // A card that takes something, if there is one.
    const lifted = page.locator('.hand button.card.lifted');
    await ((await lifted.count()) > 0 ? lifted : page.locator('.hand button.card')).first().click();
  } else await page.waitForTimeout(20);
  return now;
}

/** Plays until it is over; false if it never ends. */
export async function playOut(page: Page, choice: Choice = {}, patience = 3000): Promise<boolean> {
  for (let turn = 0; turn < patience; turn += 1) {
    const now = await move(page, choice).catch(() => 'waiting');
    if (now === 'over') return true;
  }
  return false;
}

export async function playUntil(page: Page, wanted: Moment, patience = 1500): Promise<boolean> {
  for (let turn = 0; turn < patience; turn += 1) {
    const now = await moment(page);
    if (now === wanted) return true;
    if (now === 'over') return false;
    await move(page, { dares: true }).catch(() => 'waiting');
  }
  return false;
}

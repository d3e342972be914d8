// How a person plays Binokel here: by clicking what is asked.

import type { Page } from 'playwright-core';

export type Moment = 'bid' | 'dabb' | 'away' | 'trump' | 'melds' | 'card' | 'over' | 'waiting';

export async function moment(page: Page): Promise<Moment> {
  return page.evaluate(() => {
    const has = (selector: string) => document.querySelector(selector) !== null;
    if (has('a[href^="/r/"]')) return 'over';
    if (has('[data-bid]')) return 'bid';
    if (has('[data-take-dabb]')) return 'dabb';
    if (has('[data-lay-away]')) return 'away';
    if (has('[data-suit]')) return 'trump';
    if (has('[data-melds]')) return 'melds';
    if (has('[data-phase=tricks] .hand button.card')) return 'card';
    return 'waiting';
  });
}

/** What the table shows: every card in its place, the plates, the badge, the sheet. */
export async function picture(page: Page): Promise<unknown> {
  return page.evaluate(() => {
    const cards = (selector: string) => [...document.querySelectorAll<HTMLElement>(`${selector} [data-card]`)].map((card) => card.dataset.card).sort();
    const words = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)].map((element) => element.innerText);
    return {
      phase: document.querySelector<HTMLElement>('[data-phase]')?.dataset.phase,
      hand: cards('.binokel > .hand'),
      middle: cards('[data-middle]'),
      melds: cards('.melds'),
      last: cards('.last'),
      calls: words('.call'),
      seats: words('.seat'),
      badge: words('.badge'),
      sheet: words('aside'),
      duty: words('.duty'),
    };
  });
}

interface Choice {
  /** Bids up to this, then passes. */
  upTo?: number;
  goesOut?: boolean;
  /** Announces this in place of trump. */
  announces?: 'durch' | 'bettel';
  seen?: Set<Moment>;
}

/** One move, if one is asked for. */
export async function move(page: Page, choice: Choice = {}): Promise<Moment> {
  const now = await moment(page);
  await answer(page, now, choice);
  return now;
}

/** Does what this moment asks for. */
async function answer(page: Page, now: Moment, { upTo = 200, goesOut = false, announces, seen }: Choice): Promise<void> {
  seen?.add(now);
  const quick = { timeout: 3000 };
  // A covered card shows its left edge.
  const edge = { position: { x: 10, y: 14 }, ...quick };
  if (now === 'bid') {
    const amount = Number(await page.locator('[data-bid]').getAttribute('data-bid', quick));
    const mayPass = (await page.locator('[data-pass]').count()) > 0;
    await page.click(amount > upTo && mayPass ? '[data-pass]' : '[data-bid]', quick);
  } else if (now === 'dabb') await page.click('[data-take-dabb]', quick);
  else if (now === 'away' && goesOut) {
    await page.click('[data-go-out]', quick);
    await page.locator('[data-suit]').first().click(quick);
  } else if (now === 'away') {
    for (const _ of Array(8)) {
      if (await page.locator('[data-lay-away]').isEnabled(quick)) break;
      await page.locator('.hand button.card:not(.chosen)').last().click(edge);
    }
    await page.click('[data-lay-away]', quick);
  } else if (now === 'trump' && announces) await page.click(`[data-announce=${announces}]`, quick);
  else if (now === 'trump') await page.locator('[data-suit]').first().click(quick);
  else if (now === 'melds') await page.click('[data-melds]', quick);
  else if (now === 'card') await page.locator('.hand button.card').first().click(edge);
  else await page.waitForTimeout(20);
}

/** Plays until it is over; false if it never ends. */
export async function playOut(pages: Page | Page[], choice: Choice = {}, patience = 3000): Promise<boolean> {
  for (let turn = 0; turn < patience; turn += 1) {
    for (const page of [pages].flat()) {
      const now = await move(page, choice).catch(() => 'waiting');
      if (now === 'over') return true;
    }
  }
  return false;
}

export async function playUntil(page: Page, wanted: Moment, choice: Choice = {}, patience = 1500): Promise<boolean> {
  for (let turn = 0; turn < patience; turn += 1) {
    const now = await moment(page);
    if (now === wanted) return true;
    if (now === 'over') return false;
    await answer(page, now, choice).catch(() => {});
  }
  return false;
}

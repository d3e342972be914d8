// How a person plays a game this client does not know: by its buttons and fields.

import type { Page } from 'playwright-core';

export type Moment = 'asked' | 'over' | 'waiting';

export async function moment(page: Page): Promise<Moment> {
  return page.evaluate(() => {
    const has = (selector: string) => document.querySelector(selector) !== null;
    if (has('.any .result') && has('a[href^="/r/"]')) return 'over';
    return has('.any :is([data-option], form[data-form] button):not(:disabled)') ? 'asked' : 'waiting';
  });
}

/** What the table shows, but for what time and others’ lines change by themselves. */
export async function picture(page: Page): Promise<unknown> {
  return page.evaluate(() => {
    const words = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)].map((element) => element.innerText);
    return { seats: words('.any [data-seat] :is(.name, .points)'), turn: words('.any [data-seat][aria-current] .name'), known: words('.any .picture'), moves: words('.any .ask button'), fields: words('.any .ask select'), result: words('.any .result') };
  });
}

interface Play {
  /** The kinds of moves to make, the best first; the first there is if none is. */
  wish?: readonly string[];
  how?: 'click' | 'key';
}

/** One move, if one is asked for. */
export async function move(page: Page, { wish = [], how = 'click' }: Play = {}): Promise<Moment> {
  const now = await moment(page);
  if (now !== 'asked') {
    await page.waitForTimeout(25);
    return now;
  }
  const buttons = page.locator('.any [data-option]:not(:disabled)');
  const kinds = await buttons.evaluateAll((all) => all.map((one) => (one as HTMLElement).dataset.option ?? ''));
  const form = page.locator('.any form[data-form]');
  const forms = await form.evaluateAll((all) => all.map((one) => (one as HTMLElement).dataset.form ?? ''));
  const wanted = [...wish, ...forms, ...kinds].find((kind) => kinds.includes(kind) || forms.includes(kind)) ?? '';
  const nth = kinds.indexOf(wanted);
  if (how === 'key') await page.keyboard.press(nth >= 0 ? String(nth + 1) : 'Enter');
  else if (nth >= 0) await buttons.nth(nth).click({ timeout: 2000 });
  else await form.locator('button').first().click({ timeout: 2000 });
  return now;
}

/** Plays on to a moment; false if the game ends before it, or never comes there. */
export async function playUntil(page: Page, wanted: Moment, play: Play = {}, patience = 4000): Promise<boolean> {
  for (let turn = 0; turn < patience; turn += 1) {
    const now = await moment(page);
    if (now === wanted) return true;
    if (now === 'over') return false;
    await move(page, play).catch(() => 'waiting');
  }
  return false;
}

/** Every list of numbers in a value, in order. */
export function numberLists(value: unknown): number[][] {
  if (!value || typeof value !== 'object') return [];
  if (Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'number')) return [value as number[]];
  return Object.values(value).flatMap(numberLists);
}

const FACES = ['⚀', '⚁', '⚂', '⚃', '⚄', '⚅'];

/** Whether a text has these dice side by side, in any usual writing: `[2,2,6]`, `2 2 6`, `226`, `⚁⚁⚅`; as rolled or sorted. */
export function tells(text: string, dice: number[]): boolean {
  const sorted = dice.toSorted((a, b) => a - b);
  return [dice, sorted, sorted.toReversed()].some((hand) => {
    const written = hand.map((die) => `(?:${die}|${FACES[die - 1]})`).join('[^0-9⚀-⚅]{0,3}');
    return new RegExp(`(?<![0-9⚀-⚅])${written}(?![0-9⚀-⚅])`, 'u').test(text);
  });
}

// Every page and every kind of moment fits: on a phone held either way, in each
// language. It takes minutes and fonts of its own, so it is run by `make fits`;
// with PARLOR_SHOTS=folder it also takes a picture of each, at more sizes, light
// and dark, to be looked at.

import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { House, Visitor, openBrowser } from './house';
import { MOMENTS, type Moment } from './moments';

const SHOTS = process.env.PARLOR_SHOTS;
const UPRIGHT = { width: 360, height: 740 };
const SIDEWAYS = { width: 740, height: 360 };
const DESKTOP = { width: 1280, height: 800 };
const TABLET = { width: 768, height: 1024 };
const WIDE = { width: 1920, height: 1080 };
const SIZES = [UPRIGHT, SIDEWAYS, DESKTOP, TABLET, WIDE];
const LANGUAGES = ['en', 'zh', 'ja', 'de'] as const;

/** Widths are measured with letters of every language, or they say nothing. */
const FONTS = ['Noto Sans', 'Noto Sans CJK JP'];
const installed = () => {
  try {
    return execFileSync('fc-list', [':', 'family'], { encoding: 'utf8' });
  } catch {
    return '';
  }
};
const families = new Set(installed().split(/[\n,]/));
const isAsked = SHOTS !== undefined || process.env.PARLOR_FITS !== undefined;
const canMeasure = isAsked && FONTS.every((font) => families.has(font));

let house: House;
let browser: Browser;

beforeAll(async () => {
  // The end of a round stays until it was looked at.
  [house, browser] = await Promise.all([House.open('--round-pause', '600000'), openBrowser()]);
  if (SHOTS) mkdirSync(SHOTS, { recursive: true });
});

afterAll(async () => {
  await browser?.close();
  await house?.close();
});

/** What sticks out of the screen, or is cut where it should be read whole. */
async function misfits(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const root = document.documentElement;
    if (root.scrollWidth > innerWidth) found.push(`the page is ${root.scrollWidth} wide`);
    const scrolls = (element: Element | null): boolean => element !== null && element !== root && (['auto', 'scroll'].includes(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
    for (const element of document.body.querySelectorAll<HTMLElement>('*')) {
      const own = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim());
      if (!own || !element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || element.closest('.hidden-words, svg, option')) continue;
      const named = `${element.className || element.tagName} “${element.innerText?.slice(0, 40)}”`;
      const { left, right, width } = element.getBoundingClientRect();
      if (width > 0 && (left < -1 || right > innerWidth + 1) && !scrolls(element)) found.push(`${named} is out at ${left.toFixed()}…${right.toFixed()}`);
      const { overflowX } = getComputedStyle(element);
      if ((overflowX === 'hidden' || overflowX === 'clip') && element.scrollWidth > element.clientWidth + 1) found.push(`${named} is cut`);
    }
    // Names and what is said lie on nothing else.
    const apart = [...document.querySelectorAll<HTMLElement>('.plate, .kept > *, .call, .dabb .row, .badge, .bet')].filter((one) => one.checkVisibility());
    for (const [nth, one] of apart.entries()) {
      for (const other of apart.slice(nth + 1)) {
        const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
        const [x, y] = [Math.min(a.right, b.right) - Math.max(a.left, b.left), Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)];
        if (x > 2 && y > 2 && !one.contains(other)) found.push(`${one.className} “${one.innerText}” lies on ${other.className} “${other.innerText}”`);
      }
    }
    // Upright, whoever decides on the round sees their hand.
    if (innerHeight > innerWidth && document.querySelector('[data-decision]')) {
      const held = [...document.querySelectorAll('.hand [data-card]')].map((card) => card.getBoundingClientRect().bottom);
      if (held.length === 0 || held.some((bottom) => bottom > innerHeight)) found.push(`the hand ends at ${held.join(', ')}`);
    }
    return found;
  });
}

async function settle(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  await page.evaluate(() => Promise.allSettled(document.getAnimations().map((one) => one.finished)));
}

async function speak(page: Page, lang: string, moment: Moment): Promise<void> {
  await page.evaluate((lang) => {
    const kept = JSON.parse(localStorage.getItem('parlor.settings') ?? '{}') as object;
    localStorage.setItem('parlor.settings', JSON.stringify({ ...kept, lang }));
  }, lang);
  // Left first: a page that is unloaded keeps its settings once more.
  await page.reload();
  await page.waitForSelector('main :is(h1, [data-card], [data-seat], .scrubber)');
  await moment.again?.(page);
  await page.waitForTimeout(SHOTS ? 300 : 50);
}

for (const moment of MOMENTS) {
  test.runIf(canMeasure)(`${moment.name} fits`, async () => {
    const visitor = await Visitor.come(browser, house, { viewport: UPRIGHT });
    const { page } = visitor;
    await moment.come(visitor, house);
    const found: string[] = [];
    for (const lang of LANGUAGES) {
      await speak(page, lang, moment);
      expect(await page.locator('html').getAttribute('lang')).toContain(lang);
      for (const viewport of SHOTS ? SIZES : [UPRIGHT, SIDEWAYS]) {
        const isExtra = viewport === TABLET || viewport === WIDE;
        if (isExtra && lang !== 'en') continue;
        await page.setViewportSize(viewport);
        await settle(page);
        found.push(...(await misfits(page)).map((one) => `${lang} ${viewport.width}: ${one}`));
        if (!SHOTS || (viewport === SIDEWAYS && lang !== 'en')) continue;
        for (const colorScheme of lang === 'en' && !isExtra ? (['dark', 'light'] as const) : (['light'] as const)) {
          await page.emulateMedia({ colorScheme });
          // A change of colours reaches the picture a moment later.
          await page.waitForTimeout(150);
          await page.screenshot({ path: `${SHOTS}/${moment.name}.${viewport.width}.${lang}.${colorScheme}.png` });
        }
      }
    }
    expect(found).toEqual([]);
    await visitor.leave();
  });
}

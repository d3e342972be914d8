// Language models at a table of Mafia that is laid in the page, beside bots and a
// person; what they think stays out of it.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { Endpoint, legal } from './endpoint';
import { House, Visitor, openBrowser, overhear } from './house';
import { move } from './mafia';

const SAID = 'A lamp burned by the well. Whose was it?';
const THOUGHT = 'Nobody may read that I suspect the miller.';
const MODELS = 4;

let endpoint: Endpoint;
let house: House;
let browser: Browser;
const folder = mkdtempSync(join(tmpdir(), 'parlor-agents-'));
/** Those who have the floor and wait for a sign to speak. */
const waiting: (() => void)[] = [];
let isPatient = false;

beforeAll(async () => {
  endpoint = await Endpoint.open(async (question) => {
    if (!question.includes('You have the floor')) return { thought: THOUGHT, target: legal(question).at(-1) };
    // What was said before stands until the next speaks: long enough to be looked at.
    if (isPatient) await new Promise<void>((resolve) => waiting.push(resolve));
    return { thought: THOUGHT, statement: SAID };
  });
  const file = join(folder, 'agents.toml');
  writeFileSync(file, `[llm]\nbase_url = "${endpoint.url}"\nmodel = "small"\ntimeout_s = 60\n[agents.wanderer]\nmodel = "large"\n`);
  [house, browser] = await Promise.all([House.open('--agents', file, '--agents-per-day', '100'), openBrowser()]);
});

afterAll(async () => {
  await browser?.close();
  await house?.close();
  await endpoint?.close();
  rmSync(folder, { recursive: true, force: true });
});

test('models are seated in the page, speak in the theatre, and play on', async () => {
  isPatient = true;
  const visitor = await Visitor.come(browser, house);
  const { page } = visitor;
  const heard = await overhear(page);
  await page.goto('/new/mafia');
  await page.locator('label', { hasText: 'Set of rules' }).locator('select').selectOption('7p2m');
  const seat = (nth: number) => page.locator('label', { hasText: `Seat ${nth}` }).locator('select');
  expect(await seat(2).locator('optgroup[label="Language models"] option').allInnerTexts()).toEqual(['llm', 'wanderer']);
  for (let nth = 2; nth < 2 + MODELS; nth += 1) await seat(nth).selectOption(nth % 2 === 0 ? 'wanderer' : 'llm');
  await page.click('form button.primary');
  await page.waitForURL('**/t/*');
  await page.waitForSelector('.mafia [data-seat]');

  const playUntil = async (seen: () => Promise<boolean>) => {
    for (const patience = Date.now() + 30_000; Date.now() < patience; ) {
      if (await seen()) return true;
      await move(page).catch(() => 'waiting');
    }
    return false;
  };
  // Models sit side by side: one has spoken, and the next is waited for.
  const stage = page.locator('.scene.words .said', { hasText: SAID });
  const isOnStage = () => stage.waitFor({ timeout: 1500 }).then(() => true, () => false);
  const spoke = await playUntil(async () => {
    if (waiting.length === 0) return false;
    const isSeen = await isOnStage();
    if (!isSeen) waiting.shift()?.();
    return isSeen;
  });
  expect(spoke).toBe(true);
  const speaker = await page.locator('.scene.words .who strong').innerText();
  await page.waitForSelector(`.chronicle [role=log] p:has-text("${speaker} ${SAID}")`);
  expect(await heard()).not.toContain(THOUGHT);

  isPatient = false;
  for (const speak of waiting.splice(0)) speak();
  const phase = page.locator('.phase strong');
  expect(await playUntil(async () => /^Night [2-9]|^Day [2-9]|^The game is over/.test(await phase.innerText()))).toBe(true);
  expect(await page.locator('.chronicle [role=log] p', { hasText: SAID }).count()).toBeGreaterThan(1);
  expect(visitor.complaints).toEqual([]);

  const { table_id: table } = await house.call<{ table_id: string }>(`/api/v1/tables/${visitor.code}`);
  const log = (await house.fullLog(table)) as { eventType: string; payload: { agent?: string } }[];
  const kind = (type: string) => log.filter((event) => event.eventType === type);
  expect(kind('AGENT_ASSIGNED').map((event) => event.payload.agent)).toEqual(['wanderer', 'llm', 'wanderer', 'llm']);
  expect(kind('AGENT_FAULT')).toEqual([]);
  await visitor.leave();
});

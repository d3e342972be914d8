import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { House, Visitor, openBrowser } from './house';
import { layTable, moment, move, picture, playOut, playUntil, sitAt, type Moment } from './mafia';

let house: House;
let browser: Browser;

beforeAll(async () => {
  [house, browser] = await Promise.all([House.open(), openBrowser()]);
});

afterAll(async () => {
  await browser?.close();
  await house?.close();
});

interface Part {
  playerId: string;
  role: string;
}

/** Who is who, as only the admin may know while the game lasts. */
async function cast(table: string): Promise<string[]> {
  const [created] = (await house.fullLog(table)) as { payload: { initialRoles: Part[] } }[];
  return created!.payload.initialRoles.map((part) => part.role);
}

/** A seed that gives the person this role. */
async function tableWith(role: string) {
  for (let nth = 0; nth < 60; nth += 1) {
    const laid = await layTable(house, { bots: 6, seed: `a seat for the ${role} ${nth}` });
    if ((await cast(laid.table_id))[laid.seat] === role) return laid;
  }
  throw new Error(`no seed makes a ${role}`);
}

describe('a game against bots', () => {
  test('begins with one click on the front page and is played to its end by clicking', async () => {
    const visitor = await Visitor.come(browser, house);
    await visitor.page.goto('/');
    await visitor.page.click('[data-play=mafia]');
    await visitor.page.waitForURL('**/t/*');
    expect(await playOut(visitor.page)).toBe(true);
    expect(await visitor.page.locator('.scene').innerText()).toMatch(/The (town|mafia) wins/);
    expect(visitor.complaints).toEqual([]);
    const table = await house.call<{ status: string }>(`/api/v1/tables/${visitor.code}`);
    expect(table.status).toBe('finished');
    await visitor.leave();
  });

  const deeds: Record<string, { asks: string; does: string }> = {
    mafia: { asks: 'Whom shall the mafia kill?', does: 'KILL' },
    doctor: { asks: 'Whom do you guard tonight?', does: 'PROTECT' },
    sheriff: { asks: 'After whom do you ask tonight?', does: 'INVESTIGATE' },
  };
  for (const [role, { asks, does }] of Object.entries(deeds)) {
    test(`a person who is ${role} acts by night on the seat that is clicked`, async () => {
      const visitor = await Visitor.come(browser, house);
      const laid = await tableWith(role);
      await sitAt(visitor.page, laid);
      await visitor.page.waitForSelector(`.ask:has-text("${asks}")`);
      const target = visitor.page.locator('button[data-seat]').last();
      const seat = Number(await target.getAttribute('data-seat'));
      await target.click();
      await visitor.page.waitForSelector('.phase:has-text("Day 1")');
      const log = await house.fullLog(laid.table_id);
      const deed = log.find((event) => event.eventType === 'NIGHT_ACTION_SUBMITTED' && (event.payload as { agentId: string }).agentId === 'p1');
      expect(deed?.payload).toMatchObject({ actionType: does, targetId: `p${seat + 1}` });
      if (role === 'sheriff') expect(await visitor.page.locator('.chronicle [role=log]').innerText()).toMatch(/The sheriff knows/);
      const seen = new Set<Moment>();
      expect(await playOut(visitor.page, seen)).toBe(true);
      expect(visitor.complaints).toEqual([]);
      await visitor.leave();
    });
  }

  test('can be played by keyboard alone', async () => {
    const visitor = await Visitor.come(browser, house);
    const { page } = visitor;
    await sitAt(page, await layTable(house, { bots: 6 }));
    for (let turn = 0; turn < 2000; turn += 1) {
      const now = await moment(page);
      if (now === 'over') break;
      if (now === 'night' || now === 'vote') {
        await page.keyboard.press('ArrowRight');
        await page.keyboard.press('Enter');
      } else if (now === 'speak') {
        await page.keyboard.type('Hm.');
        await page.keyboard.press('Enter');
      } else await page.waitForTimeout(30);
    }
    expect(await moment(page)).toBe('over');
    expect(visitor.complaints).toEqual([]);
    await visitor.leave();
  });
});

describe('what is said', () => {
  test('stands in the middle and in the chronicle, under the name of whoever said it', async () => {
    const visitor = await Visitor.come(browser, house);
    const { page } = visitor;
    for (let attempt = 0; attempt < 8; attempt += 1) {
      await sitAt(page, await layTable(house, { bots: 6 }));
      if (await playUntil(page, 'speak')) break;
    }
    await page.fill('.ask textarea', 'Nobody leaves this square.');
    await page.press('.ask textarea', 'Enter');
    await page.waitForSelector('.chronicle p:has-text("Mara Nobody leaves this square.")');
    await visitor.leave();
  });
});

describe('a reload', () => {
  for (const wanted of ['night', 'speak', 'vote', 'over'] as const) {
    test(`in the moment “${wanted}” restores the same picture`, async () => {
      const visitor = await Visitor.come(browser, house);
      const { page } = visitor;
      let reached = false;
      for (let attempt = 0; attempt < 12 && !reached; attempt += 1) {
        await sitAt(page, await layTable(house, { bots: 6 }));
        reached = wanted === 'over' ? await playOut(page) : await playUntil(page, wanted);
      }
      expect(reached).toBe(true);
      // All vote at once: the others' votes may still be coming.
      let before = await picture(page);
      for (let now: unknown = null; JSON.stringify(now) !== JSON.stringify(before); ) {
        before = now ?? before;
        await page.waitForTimeout(400);
        now = await picture(page);
      }
      await page.reload();
      await page.waitForSelector('.mafia [data-seat]');
      await page.waitForFunction((now) => document.querySelector('.phase strong')?.textContent === now, (before as { phase: string[] }).phase[0]);
      expect(await picture(page)).toEqual(before);
      expect(visitor.complaints).toEqual([]);
      await visitor.leave();
    });
  }
});

describe('people', () => {
  test('play sealed ballots to the end, with clocks, and even villagers say good night', async () => {
    const [host, guest] = [await Visitor.come(browser, house), await Visitor.come(browser, house)];
    const seats = [{ name: 'Mara', kind: 'human' }, { kind: 'human' }, ...Array.from({ length: 3 }, () => ({ kind: 'bot', bot: 'hard' }))];
    const rules = { preset: 'people', players: 5, mafia: 1 };
    const laid = await house.call<Parameters<typeof sitAt>[1]>('/api/v1/tables', {
      method: 'POST',
      body: JSON.stringify({ game: 'mafia', rules, seats }),
      headers: { 'Content-Type': 'application/json' },
    });
    await guest.page.goto(`/t/${laid.code}`);
    await guest.page.click('text=Sit down here');
    await sitAt(host.page, laid);
    await host.page.waitForSelector('.phase [role=timer]');
    const seen = new Set<Moment>();
    expect(await Promise.all([playOut(host.page, seen), playOut(guest.page, seen)])).toEqual([true, true]);
    expect(await host.page.locator('.scene').innerText()).toBe(await guest.page.locator('.scene').innerText());
    expect([...host.complaints, ...guest.complaints]).toEqual([]);
    await host.leave();
    await guest.leave();
  });
});

describe('nothing hidden', () => {
  /** Keeps whatever the page is sent, as it is sent. */
  const eavesdrop = () => {
    const sent: string[] = [];
    (window as unknown as { sent: string[] }).sent = sent;
    const real = window.fetch;
    window.fetch = async (...call) => {
      const answer = await real(...call);
      const copy = answer.clone().body?.pipeThrough(new TextDecoderStream()).getReader();
      void (async () => {
        for (;;) {
          const part = await copy?.read().catch(() => undefined);
          if (!part || part.done) return;
          sent.push(part.value);
        }
      })();
      return answer;
    };
  };

  for (const who of ['a player', 'a spectator'] as const) {
    test(`is ever sent to ${who}: no living stranger's role, deed or thought`, async () => {
      const player = await Visitor.come(browser, house);
      const laid = await tableWith('villager');
      const roles = await cast(laid.table_id);
      const watcher = who === 'a player' ? player : await Visitor.come(browser, house);
      await watcher.page.addInitScript(eavesdrop);
      await sitAt(player.page, laid);
      if (watcher !== player) {
        await watcher.page.goto(`/t/${laid.code}`);
        await watcher.page.waitForSelector('.mafia [data-seat]');
      }
      let looked = 0;
      for (let turn = 0; turn < 3 && (await playUntil(player.page, 'vote')); turn += 1) {
        const page = watcher.page;
        // Nobody dies while the player's vote is awaited: both pages come to the same day.
        const phase = await player.page.locator('.phase strong').innerText();
        await page.waitForSelector(`.phase:has-text("${phase}")`);
        const received = await page.evaluate(() => {
          const stored = JSON.stringify(localStorage) + JSON.stringify(sessionStorage);
          return (window as unknown as { sent: string[] }).sent.join('') + stored + document.documentElement.outerHTML;
        });
        const dead = await page.evaluate(() => [...document.querySelectorAll<HTMLElement>('.seat.dead')].map((seat) => Number(seat.dataset.seat)));
        const parts = [...received.matchAll(/"playerId":"p(\d+)","playerName":"[^"]*","role":"(\w+)"/g)];
        const known = new Set(parts.map((part) => Number(part[1]) - 1));
        const own = who === 'a player' ? [laid.seat] : [];
        expect([...known].sort()).toEqual([...new Set([...own, ...dead])].sort());
        for (const part of parts) expect(part[2]).toBe(roles[Number(part[1]) - 1]);
        expect(received).not.toMatch(/NIGHT_ACTION_SUBMITTED|AGENT_THINK_STREAM|AGENT_FAULT|"seed":/);
        // The cards that lie face up are those of the dead, and one's own.
        const open = await page.evaluate(() => [...document.querySelectorAll('.seat:has(use[href^="#role-"])')].map((seat) => Number((seat as HTMLElement).dataset.seat)));
        expect(open.sort()).toEqual([...known].sort());
        looked += 1;
        await move(player.page);
      }
      expect(looked).toBeGreaterThan(0);
      await player.leave();
      if (watcher !== player) await watcher.leave();
    });
  }
});

describe('the replay', () => {
  test('shows the thoughts of all once the game is over, and the public view none', async () => {
    const visitor = await Visitor.come(browser, house);
    const { page } = visitor;
    const laid = await layTable(house, { bots: 6 });
    await sitAt(page, laid);
    expect(await playOut(page)).toBe(true);
    await page.goto(`/r/${laid.table_id}?view=postmortem#40`);
    await page.waitForSelector('.drawer [role=log] p');
    expect(await page.locator('button[data-seat], section.ask').count()).toBe(0);
    await page.goto(`/r/${laid.table_id}?view=public#40`);
    await page.waitForSelector('.mafia [data-seat]');
    expect(await page.locator('.drawer').count()).toBe(0);
    expect(visitor.complaints).toEqual([]);
    await visitor.leave();
  });
});

describe('everyone', () => {
  const axe = readFileSync(new URL('../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');

  for (const size of [{ width: 360, height: 740 }, { width: 740, height: 360 }, { width: 1280, height: 800 }]) {
    test(`can use it at ${size.width} × ${size.height}: no serious violation, nothing beside the screen`, async () => {
      for (const colorScheme of ['light', 'dark'] as const) {
        const visitor = await Visitor.come(browser, house, { viewport: size, colorScheme, bypassCSP: true });
        const { page } = visitor;
        await sitAt(page, await tableWith('doctor'));
        for (const wanted of ['night', 'speak', 'vote', 'over'] as const) {
          // A doctor who guards the first seat, their own, lives to speak and to vote.
          expect(wanted === 'over' ? await playOut(page) : await playUntil(page, wanted)).toBe(true);
          // Reduced motion is a motion of a millisecond, and has to have passed.
          await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
          await page.evaluate(() => Promise.allSettled(document.getAnimations().map((one) => one.finished)));
          await page.evaluate(axe);
          const found = await page.evaluate(async () => {
            const { axe } = window as unknown as { axe: { run(): Promise<{ violations: { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[] }> } };
            return (await axe.run()).violations.filter((one) => ['serious', 'critical'].includes(one.impact)).map((one) => `${one.id}: ${one.nodes[0]?.html} ${one.nodes[0]?.failureSummary}`);
          });
          expect({ wanted, found }).toEqual({ wanted, found: [] });
          expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
        }
        await visitor.leave();
      }
    });
  }
});

// A page of somebody else's, on the contract's wire: the default Socket.IO
// client in a real browser, reloaded again and again while the game grows.

import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { House, openBrowser } from './house';

const SIZES = [1, 15, 17, 60, 200, 500].map((kilobytes) => kilobytes * 1000);
const RELOADS = 15;

const here = import.meta.dirname;
const client = readFileSync(join(here, '../node_modules/socket.io-client/dist/socket.io.min.js'), 'utf8');
const table = readFileSync(join(here, '../../cli/tests/socketio/table.js'), 'utf8');

/** What the page has heard. */
interface Heard {
  states: number;
  events: unknown[];
  /** Whether something came before the state. */
  early: boolean;
  failure: string | null;
  transport: string | null;
}

// Plays by itself until the past is as long as the address says.
const page = (url: string) => `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">
<script>${client}</script>
<script>
  const fail = (message) => { throw new Error(message); };
  const assert = {
    ok: (holds, message) => holds || fail(message),
    equal: (a, b, message) => a === b || fail(message ?? a + ' is not ' + b),
    deepEqual: (a, b, message) => JSON.stringify(a) === JSON.stringify(b) || fail(message),
  };
  const { Table } = ((module, require) => { ${table}; return module.exports; })({}, () => assert);
</script>
<script>
  const { secretId, sessionId, size } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  const table = new Table(0);
  const heard = { states: 0, events: [], early: false, failure: null, transport: null };
  const socket = io('${url}', { auth: { secretId, sessionId } });
  let length = 0;
  const isLong = () => length >= Number(size);
  let moved = null;
  const move = () => {
    if (isLong()) return;
    const moment = table.phase === 'melding' ? 'melds of ' + table.rounds : table.sequence;
    const next = moved === moment ? null : table.move(Math.random);
    if (!next) return;
    moved = moment;
    socket.emit(...next);
  };
  const take = (events) => {
    try {
      events.forEach((event) => {
        table.fold(event);
        heard.events.push(event);
        length += JSON.stringify(event).length + 1;
      });
      move();
    } catch (error) {
      heard.failure ??= String(error);
    }
  };
  socket.on('game:state', ({ events }) => {
    heard.states += 1;
    if (events.length === 0) socket.emit('game:start');
    take(events);
  });
  socket.on('game:events', ({ events }) => { heard.early ||= heard.states === 0; take(events); });
  socket.on('error', (error) => { heard.failure ??= JSON.stringify(error); });
  window.heard = () => ({ ...heard, isLong: isLong(), transport: socket.io.engine?.transport.name });
</script>`;

let house: House;
let browser: Browser;
let elsewhere: Server;
let address: string;

beforeAll(async () => {
  elsewhere = createServer((_, answer) => answer.setHeader('content-type', 'text/html').end(page(house.url)));
  await new Promise<void>((ready) => elsewhere.listen(0, '127.0.0.1', ready));
  address = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
  house = await House.open('--origin', address);
  browser = await openBrowser();
});

afterAll(async () => {
  await browser.close();
  await house.close();
  elsewhere.close();
});

const heard = (page: Page) => page.evaluate(() => (window as unknown as { heard: () => Heard & { isLong: boolean } }).heard());

test('a reload never loses the game, however long it is', { timeout: 240_000 }, async () => {
  const post = <T>(path: string, body: unknown, secret = '') =>
    house.call<T>(path, { method: 'POST', body: JSON.stringify(body), headers: { 'X-Secret-Id': secret } });
  const { sessionCode, secretId } = await post<{ sessionCode: string; secretId: string }>('/api/sessions', { playerCount: 2, nickname: 'Ada', targetScore: 20_000 });
  await post(`/api/sessions/${sessionCode}/ai`, { difficulty: 'easy' }, secretId);
  const visitor = await (await browser.newContext()).newPage();
  const errors: string[] = [];
  visitor.on('pageerror', (error) => errors.push(String(error)));
  for (const size of SIZES) {
    const hash = new URLSearchParams({ secretId, sessionId: sessionCode, size: String(size) });
    await visitor.goto('about:blank');
    await visitor.goto(`${address}/#${hash}`);
    await expect.poll(async () => (await heard(visitor)).isLong, { timeout: 60_000 }).toBe(true);
    // The bot may have something left to do; then all is quiet.
    await visitor.waitForTimeout(300);
    const whole = JSON.stringify((await heard(visitor)).events);
    for (let reload = 0; reload < RELOADS; reload += 1) {
      await visitor.reload();
      await expect.poll(async () => (await heard(visitor)).transport, { timeout: 10_000 }).toBe('websocket');
      await expect.poll(async () => (await heard(visitor)).states, { timeout: 10_000 }).toBe(1);
      const again = await heard(visitor);
      expect(again).toMatchObject({ early: false, failure: null });
      expect(JSON.stringify(again.events)).toBe(whole);
    }
  }
  expect(errors).toEqual([]);
  await visitor.context().close();
});

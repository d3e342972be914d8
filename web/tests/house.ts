// The real program, serving the built client, and a real browser in front of it.

import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';

const PROGRAM = process.env.PARLOR_BIN ?? join(import.meta.dirname, '../../target/debug/parlor');
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
export const ADMIN = 'the-admin-of-these-tests';

async function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

export class House {
  private child: ChildProcess | null = null;
  private readonly folder = mkdtempSync(join(tmpdir(), 'parlor-web-'));

  private constructor(
    private readonly port: number,
    private readonly flags: string[],
  ) {}

  static async open(...flags: string[]): Promise<House> {
    const house = new House(await freePort(), flags);
    await house.start();
    return house;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    const store = `sqlite:${join(this.folder, 'parlor.db')}`;
    const flags = ['--listen', `127.0.0.1:${this.port}`, '--store', store, '--limits', 'off', '--bot-pace', '0', '--allow-seeds', '--admin-token', ADMIN];
    this.child = spawn(PROGRAM, ['serve', ...flags, ...this.flags], { stdio: 'ignore' });
    for (let attempt = 0; ; attempt += 1) {
      const answer = await fetch(`${this.url}/readyz`).catch(() => null);
      if (answer?.ok) return;
      if (attempt > 200) throw new Error('the house does not open');
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** As if the power failed. */
  async kill(): Promise<void> {
    const child = this.child;
    if (!child) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
    this.child = null;
  }

  async close(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }

  async call<T>(path: string, init: RequestInit = {}): Promise<T> {
    const answer = await fetch(this.url + path, init);
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  }

  /** Everything that happened at a table, as only the admin may read it. */
  async fullLog(table: string): Promise<Record<string, unknown>[]> {
    const headers = { Authorization: `Bearer ${ADMIN}` };
    const text = await (await fetch(`${this.url}/api/v1/tables/${table}/log?view=admin`, { headers })).text();
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  }
}

export async function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
}

/** A visitor: a browser profile of their own, whose every complaint is kept. */
export class Visitor {
  readonly complaints: string[] = [];

  private constructor(readonly page: Page) {}

  static async come(browser: Browser, house: House, options: BrowserContextOptions = {}): Promise<Visitor> {
    const context = await browser.newContext({ baseURL: house.url, locale: 'en', reducedMotion: 'reduce', ...options });
    const visitor = new Visitor(await context.newPage());
    visitor.page.on('pageerror', (error) => visitor.complaints.push(String(error)));
    visitor.page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') visitor.complaints.push(message.text());
    });
    visitor.page.setDefaultTimeout(15_000);
    return visitor;
  }

  /** Sits down at a table laid for it, as if it had been laid here. */
  async layAndSit(house: House, order: Record<string, unknown> & { game: string }): Promise<void> {
    const laid = await house.call<{ table_id: string; code: string; token: string; seat: number }>('/api/v1/tables', { method: 'POST', body: JSON.stringify(order) });
    const seat = { table: laid.table_id, code: laid.code, game: order.game, seat: laid.seat, token: laid.token, at: Date.now() };
    await this.page.goto('/');
    await this.page.evaluate((kept) => localStorage.setItem('parlor.seats', JSON.stringify([kept])), seat);
    await this.page.goto(`/t/${laid.code}`);
  }

  /** The table's code, from the address. */
  get code(): string {
    return new URL(this.page.url()).pathname.split('/').at(-1) ?? '';
  }

  async leave(): Promise<void> {
    await this.page.context().close();
  }
}

/** Keeps a copy of every answer of the house, streams included, as it arrives; what it returns reads all that, and all that is stored. */
export async function overhear(page: Page): Promise<() => Promise<string>> {
  await page.addInitScript(() => {
    const heard: string[] = [];
    const real = window.fetch;
    Object.assign(window, { heard });
    window.fetch = async (...given) => {
      const answer = await real(...given);
      if (!answer.url.includes('/api/') || !answer.body) return answer;
      const [copy, rest] = answer.body.tee();
      void copy.pipeThrough(new TextDecoderStream()).pipeTo(new WritableStream({ write: (text) => void heard.push(text) })).catch(() => {});
      return new Response(rest, { status: answer.status, statusText: answer.statusText, headers: answer.headers });
    };
  });
  return () =>
    page.evaluate(() => {
      const { heard } = window as unknown as { heard: string[] };
      return [...heard, JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage }), document.cookie].join('\n');
    });
}

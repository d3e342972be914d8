// The house's calls. Every failure is an `Refused` with a sentence.

import { named } from './names';
import type { Seat } from './seats';

export interface SeatInfo {
  seat: number;
  player_id: string;
  name: string | null;
  kind: 'human' | 'bot';
  bot?: string;
  level?: string;
  connected: boolean;
  /** A bot plays for the player, who is away. */
  stand_in?: boolean;
}

export type Status = 'waiting' | 'playing' | 'finished' | 'terminated';

export interface TableInfo {
  table_id: string;
  code: string;
  game: string;
  status: Status;
  rules: Record<string, unknown>;
  seats: SeatInfo[];
  dialects: string[];
  created_at: number;
  bot_offered: boolean;
  rematch?: { table_id: string; code: string };
}

export interface SeatOrder {
  name?: string;
  kind: 'human' | 'bot';
  bot?: string;
}

export interface TableOrder {
  game: string;
  rules?: string | Record<string, unknown>;
  seats: SeatOrder[];
  unlisted?: boolean;
  seed?: string;
}

interface Laid {
  table_id: string;
  code: string;
  game: string;
  token: string | null;
  seat: number | null;
}

interface Taken {
  table_id: string;
  code: string;
  seat: number;
  token: string;
}

/** A call the house refused, or that never reached it (`status` 0). */
export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** Whether it may go better by itself: no network, a house that is away or overrun. */
export const isPassing = ({ status }: Refused): boolean => status === 0 || status === 429 || status >= 500;

export async function ask<T>(path: string, init: RequestInit & { token?: string | null } = {}): Promise<T> {
  const answer = await reach(path, init);
  return (await answer.json()) as T;
}

/** The answer itself; thrown is what the house said against it. */
export async function reach(path: string, init: RequestInit & { token?: string | null } = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  if (init.body) headers.set('Content-Type', 'application/json');
  if (init.token) headers.set('Authorization', `Bearer ${init.token}`);
  let answer: Response;
  try {
    // Cookies stay out of it: a tab acts with the token it holds, or as the public.
    answer = await fetch(path, { ...init, headers, credentials: 'omit' });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new Refused(0, 'UNREACHABLE', 'unreachable');
  }
  if (answer.ok) return answer;
  const said = (await answer.json().catch(() => ({}))) as { error?: string; code?: string };
  throw new Refused(answer.status, said.code ?? 'UNKNOWN', said.error ?? answer.statusText);
}

const TABLES = '/api/v1/tables';
const at = (table: string) => `${TABLES}/${encodeURIComponent(table)}`;
const post = (body: unknown, token?: string | null) => ({ method: 'POST', body: JSON.stringify(body ?? {}), token: token ?? null });

function seatOf(game: string, taken: Taken): Seat {
  return { table: taken.table_id, code: taken.code, game, seat: taken.seat, token: taken.token, at: Date.now() };
}

/** Lays a table; the seat is whoever's asked, or null where all seats are bots'. */
export async function layTable(order: TableOrder): Promise<{ table: string; code: string; seat: Seat | null }> {
  const laid = await ask<Laid>(TABLES, post({ ...order, seats: named(order.seats) }));
  const { token, seat, ...rest } = laid;
  const own = token !== null && seat !== null ? seatOf(order.game, { ...rest, token, seat }) : null;
  return { table: laid.table_id, code: laid.code, seat: own };
}

export async function sitDown(table: TableInfo, name: string): Promise<Seat> {
  return seatOf(table.game, await ask<Taken>(`${at(table.table_id)}/seats`, post({ name })));
}

export async function seatBot(table: string, token: string, bot?: string): Promise<void> {
  await ask(`${at(table)}/bots`, post(bot ? { bot } : {}, token));
}

export async function startGame(table: string, token: string): Promise<void> {
  await ask(`${at(table)}/start`, post(null, token));
}

export async function rematch(table: string, game: string, token: string): Promise<Seat> {
  return seatOf(game, await ask<Taken>(`${at(table)}/rematch`, post(null, token)));
}

export const tableInfo = (table: string) => ask<TableInfo>(at(table));

export async function listTables(status?: Status, limit = 50): Promise<TableInfo[]> {
  const query = new URLSearchParams({ limit: String(limit), ...(status && { status }) });
  return (await ask<{ tables: TableInfo[] }>(`${TABLES}?${query}`)).tables;
}

export type Rule = string | number | boolean | null | Rule[] | { [name: string]: Rule };

export interface GameGuide {
  game: string;
  about: string;
  /** The preset a table gets that names none. */
  default: string;
  presets: { name: string; meaning: string; rules: Record<string, Rule> }[];
  options: { name: string; meaning: string; allowed: string }[];
  /** How many may sit, by preset. */
  seats: Record<string, { least: number; most: number }>;
  /** Weakest first. */
  /** `agent`: one that takes its time, such as a language model of this server. */
  bots: { name: string; aliases: string[]; meaning: string; agent?: boolean }[];
}

export const gamesOnOffer = async () => (await ask<{ games: GameGuide[] }>('/api/v1/games')).games;

export const gameGuide = (game: string) => ask<GameGuide>(`/api/v1/games/${encodeURIComponent(game)}`);

/** Sends a command; the answer is the position of the last event it made. */
export async function sendCommand(table: string, dialect: string, token: string, key: string, command: unknown): Promise<number> {
  const query = new URLSearchParams({ dialect });
  const init = { ...post(command, token), headers: { 'Idempotency-Key': key } };
  return (await ask<{ position: number }>(`${at(table)}/commands?${query}`, init)).position;
}

/** A table's whole stream as one viewer was told it: `public`, `postmortem`, `seat:0`, `admin`. */
export async function toldLog(table: string, dialect: string, view: string, token: string | null): Promise<unknown[]> {
  const query = new URLSearchParams({ dialect, view });
  return jsonl(await (await reach(`${at(table)}/log?${query}`, { token })).text());
}

export interface Replay {
  game: string;
  seats: SeatInfo[];
  messages: unknown[];
}

/** A log someone brings along, as a viewer would be told it; in the game's first dialect if none is named. */
export function toldFile(text: string, view: string, dialect?: string): Promise<Replay> {
  return ask<Replay>(`/api/v1/replays?${new URLSearchParams({ view, ...(dialect && { dialect }) })}`, { method: 'POST', body: text });
}

const jsonl = (text: string): unknown[] => text.split('\n').filter(Boolean).map((line) => JSON.parse(line) as unknown);

export const logPath = (table: string, view: string) => `${at(table)}/log?${new URLSearchParams({ view })}`;

/** Every table that is played or waits; the admin's to see. */
export async function everyTable(token: string): Promise<TableInfo[]> {
  return (await ask<{ tables: TableInfo[] }>('/api/v1/admin/tables', { token })).tables;
}

export async function terminate(table: string, token: string, reason: string): Promise<void> {
  await ask(`${at(table)}/terminate`, post({ reason }, token));
}

export const eventsPath = (table: string, dialect: string, after: number) =>
  `${at(table)}/events?${new URLSearchParams({ dialect, after: String(after) })}`;

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { listen, parse, type Heard } from './connection';
import { Refused } from './api';

test('events have positions, remarks have none, heartbeats are silent', () => {
  const text = ':\n\nid: 1\ndata: {"event":"A"}\n\ndata: {"event":"TurnError"}\n\n:';
  expect(parse(text)).toEqual([
    { position: 1, message: { event: 'A' } },
    { position: null, message: { event: 'TurnError' } },
  ]);
});

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 50 });
  const silent = { addEventListener: () => {}, removeEventListener: () => {} };
  vi.stubGlobal('document', { ...silent, visibilityState: 'visible' });
  vi.stubGlobal('addEventListener', () => {});
  vi.stubGlobal('removeEventListener', () => {});
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A stream in pieces; it breaks off where they end. */
function pieces(...texts: string[]): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      for (const text of texts) {
        controller.enqueue(encoder.encode(text));
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      controller.close();
    },
  });
  return new Response(body, { headers: { date: new Date().toUTCString() } });
}

const event = (position: number) => `id: ${position}\ndata: {"n":${position}}\n\n`;
const events = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, nth) => event(from + nth)).join('');

interface Followed {
  positions: number[];
  asked: number[];
  refused: Refused | null;
}

/** Follows a house that answers the nth connection like this, until `last` is heard. */
async function follow(answers: ((after: number) => Response | Promise<Response>)[], last: number): Promise<Followed> {
  const followed: Followed = { positions: [], asked: [], refused: null };
  vi.stubGlobal('fetch', async (path: string) => {
    const after = Number(new URL(path, 'http://house').searchParams.get('after'));
    followed.asked.push(after);
    const answer = answers[Math.min(followed.asked.length, answers.length) - 1]!;
    return answer(after);
  });
  await new Promise<void>((resolve) => {
    const close = listen({
      table: 't',
      dialect: 'd',
      token: null,
      heard: (messages: Heard[]) => {
        followed.positions.push(...messages.flatMap(({ position }) => position ?? []));
        if (followed.positions.includes(last)) done();
      },
      state: () => {},
      begin: () => (followed.positions = []),
      skew: () => {},
      refused: (error) => {
        followed.refused = error;
        done();
      },
    });
    function done() {
      close();
      resolve();
    }
  });
  return followed;
}

const upTo = (last: number) => Array.from({ length: last }, (_, nth) => nth + 1);

test('a line that breaks goes on behind the last event', async () => {
  const { positions, asked } = await follow([() => pieces(events(1, 4)), (after) => pieces(events(after + 1, 9))], 9);
  expect(positions).toEqual(upTo(9));
  expect(asked).toEqual([0, 4]);
});

test('an event that is cut in two is read whole, or read again', async () => {
  const cut = events(1, 3);
  const { positions } = await follow([() => pieces(cut.slice(0, 30), cut.slice(30, -7)), (after) => pieces(events(after + 1, 6))], 6);
  expect(positions).toEqual(upTo(6));
});

test('what comes twice is heard once', async () => {
  const { positions } = await follow([() => pieces(events(1, 5), events(3, 7))], 7);
  expect(positions).toEqual(upTo(7));
});

test('where something is missing the line is opened anew', async () => {
  const { positions, asked } = await follow([() => pieces(events(1, 2), events(5, 6)), (after) => pieces(events(after + 1, 6))], 6);
  expect(positions).toEqual(upTo(6));
  expect(asked).toEqual([0, 2]);
});

test('a house that is away, or too busy, is asked again', async () => {
  const away = () => Promise.reject(new TypeError('no network'));
  const busy = () => new Response('{"error":"slow down","code":"RATE_LIMITED"}', { status: 429 });
  const { positions } = await follow([away, busy, away, () => pieces(events(1, 2))], 2);
  expect(positions).toEqual(upTo(2));
});

test('a house that knows less than we do is heard from the beginning', async () => {
  const ahead = () => new Response('{"error":"not that far","code":"POSITION_AHEAD"}', { status: 409 });
  const { positions, asked } = await follow([() => pieces(events(1, 5)), ahead, () => pieces(events(1, 7))], 7);
  expect(positions).toEqual(upTo(7));
  expect(asked).toEqual([0, 5, 0]);
});

test('a seat that is no longer ours is not asked for again', async () => {
  const { refused, asked } = await follow([() => new Response('{"error":"no","code":"UNAUTHENTICATED"}', { status: 401 })], 1);
  expect(refused?.code).toBe('UNAUTHENTICATED');
  expect(asked).toEqual([0]);
});

test('over many breaks at any place nothing is missed and nothing is doubled', async () => {
  const whole = events(1, 60);
  let turn = 0;
  const anywhere = (after: number) => {
    turn = (turn * 7 + 13) % 101;
    const rest = after === 0 ? whole : events(after + 1, 60);
    return pieces(rest.slice(0, 20 + turn), rest.slice(20 + turn, 60 + 3 * turn));
  };
  const { positions } = await follow([anywhere], 60);
  expect(positions).toEqual(upTo(60));
});

test.each([404, 410, 403])('a table that answers %i is not asked for again: that does not pass', async (status) => {
  const { refused, asked } = await follow([() => pieces(events(1, 2)), () => new Response('{"error":"gone"}', { status })], 9);
  expect(refused?.status).toBe(status);
  expect(asked).toEqual([0, 2]);
});

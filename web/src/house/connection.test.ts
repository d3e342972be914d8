import { expect, test } from 'vitest';
import { parse } from './connection';

test('events have positions, remarks have none, heartbeats are silent', () => {
  const text = ':\n\nid: 1\ndata: {"event":"A"}\n\ndata: {"event":"TurnError"}\n\n:';
  expect(parse(text)).toEqual([
    { position: 1, message: { event: 'A' } },
    { position: null, message: { event: 'TurnError' } },
  ]);
});

// Pages that nobody here has written: one knows the event contract of Koi-Koi
// and an EventSource, the other the protocol and a WebSocket, and both nothing
// but the fields that their contract names. Each plays a match to its end and
// is reloaded in every state.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { House, openBrowser } from './house';

let house: House;
let browser: Browser;

beforeAll(async () => {
  [house, browser] = await Promise.all([House.open('--round-pause', '700'), openBrowser()]);
});

afterAll(async () => {
  await browser?.close();
  await house?.close();
});

/** What both pages keep, and how they choose: by the month in a card's id. */
const COMMON = `
  const given = new URLSearchParams(location.search);
  const [table, me, token] = ['table', 'me', 'token'].map((name) => given.get(name));
  const known = { flow: '', active: '', hand: [], field: [], pending: null, betweenRounds: false, stale: false, finished: false, refused: [] };
  window.known = known;
  const month = (card) => card.slice(0, 2);
  const drop = (list, cards) => list.filter((card) => !cards.includes(card));
  // A page that is reloaded while it chooses remembers between what.
  const remember = (pending) => sessionStorage.setItem('pending', JSON.stringify((known.pending = pending)));
  const remembered = () => JSON.parse(sessionStorage.getItem('pending'));
  const awaits = (flow, active) => Object.assign(known, { flow, active, betweenRounds: false });
  window.act = () => {
    if (known.flow === 'AWAITING_SELECTION') return send({ command: 'TurnSelectTarget', source: known.pending[0], target: known.pending[1] });
    if (known.flow === 'AWAITING_DECISION') return send({ command: 'RoundMakeDecision', decision: known.hand.length > 4 ? 'KOI_KOI' : 'END_ROUND' });
    const takes = (card) => known.field.filter((other) => month(other) === month(card));
    const card = known.hand.find((one) => takes(one).length > 0) ?? known.hand[0] ?? '0111';
    const taken = takes(card);
    return send({ command: 'TurnPlayHandCard', card, target: taken.length === 2 ? taken[0] : null });
  };
`;

/** The event contract: thirteen events over server-sent events, commands by HTTP. */
const BY_EVENTS = `<!doctype html><title>events</title><script>${COMMON}
  const path = '/api/v1/tables/' + table;
  const headers = { Authorization: 'Bearer ' + token };
  const send = (command) => fetch(path + '/commands?dialect=koikoi.contract', { method: 'POST', headers, body: JSON.stringify(command) });
  const met = (play, player) => {
    if (!play) return;
    if (player === me) known.hand = drop(known.hand, [play.played_card]);
    known.field = play.captured_cards.length ? drop(known.field, play.captured_cards) : [...known.field, play.played_card];
  };
  const next = (state) => state && awaits(state.state_type, state.active_player_id);
  const hear = {
    GameSnapshotRestore(event) {
      known.field = event.field_cards;
      known.hand = event.player_hands.find((hand) => hand.player_id === me).cards;
      known.pending = remembered();
      awaits(event.current_flow_stage, event.active_player_id);
    },
    RoundDealt(event) {
      known.field = event.field;
      known.hand = event.hands.find((hand) => hand.player_id === me).cards;
      next(event.next_state);
    },
    TurnCompleted(event) {
      met(event.hand_card_play, event.player_id);
      met(event.draw_card_play);
      next(event.next_state);
    },
    SelectionRequired(event) {
      met(event.hand_card_play, event.player_id);
      remember([event.drawn_card, ...event.possible_targets]);
      awaits('AWAITING_SELECTION', event.player_id);
    },
    TurnProgressAfterSelection(event) {
      met(event.draw_card_play);
      next(event.next_state);
    },
    DecisionRequired(event) {
      met(event.hand_card_play, event.player_id);
      met(event.draw_card_play);
      awaits('AWAITING_DECISION', event.player_id);
    },
    DecisionMade: (event) => next(event.next_state),
    RoundScored: () => (known.betweenRounds = true),
    RoundDrawn: () => (known.betweenRounds = true),
    RoundEndedInstantly: () => (known.betweenRounds = true),
    GameFinished: () => (known.finished = true),
    TurnError: (event) => known.refused.push(event),
  };
  fetch(path + '/ticket', { method: 'POST', headers }).then((answer) => answer.json()).then(({ ticket }) => {
    const stream = new EventSource(path + '/events?dialect=koikoi.contract&ticket=' + ticket);
    stream.onmessage = ({ data }) => {
      const event = JSON.parse(data);
      hear[event.event_type]?.(event);
      known.last = event.event_type;
    };
  });
</script>`;

/** The protocol: commands up, events down, on one WebSocket. */
const BY_SOCKET = `<!doctype html><title>socket</title><script>${COMMON}
  const socket = new WebSocket('ws://' + location.host + '/ws?dialect=koikoi.protocol&table=' + table);
  const send = (command) => socket.send(JSON.stringify(command));
  const joining = { command: 'GameRequestJoin', player_id: me, session_token: token };
  socket.onopen = () => send(joining);
  const met = (card, captured) => (known.field = captured.length ? drop(known.field, captured) : [...known.field, card]);
  const played = (play, player) => {
    if (!play) return;
    if (player === me) known.hand = drop(known.hand, [play.played]);
    met(play.played, play.captured);
  };
  const next = (state) => {
    if (!state) return;
    awaits(state.type, state.active_player);
    if (known.stale && state.active_player === me) socket.send(JSON.stringify(joining));
  };
  const hear = {
    GameSnapshotRestore(event) {
      known.stale = false;
      known.field = event.cards.field;
      known.hand = event.cards.my_hand;
      const { selection } = event.flow_state.context ?? {};
      known.pending = selection ? [selection.source, ...selection.options] : null;
      next(event.flow_state);
    },
    RoundDealt(event) {
      known.stale = false;
      known.field = event.field;
      known.hand = event.hands.find((hand) => hand.player_id === me).cards;
      next(event.next_state);
    },
    TurnCompleted(event) {
      played(event.hand_play, event.player);
      met(event.deck_flip.flipped, event.deck_flip.captured);
      next(event.next_state);
    },
    SelectionRequired(event) {
      played(event.completed.hand_play, event.player);
      known.pending = [event.selection.source, ...event.selection.options];
      next(event.next_state);
    },
    TurnProgressAfterSelection(event) {
      met(event.selected_capture.source, event.selected_capture.captured);
      next(event.next_state);
    },
    // What was played is no field of the protocol here: the page asks again,
    // once it is its turn.
    DecisionRequired(event) {
      known.stale = true;
      next(event.next_state);
    },
    DecisionMade: (event) => next(event.next_state),
    RoundScored: () => (known.betweenRounds = true),
    RoundDrawn: () => (known.betweenRounds = true),
    RoundEndedInstantly: () => (known.betweenRounds = true),
    GameFinished: () => (known.finished = true),
    TurnError: (event) => known.refused.push(event),
  };
  socket.onmessage = ({ data }) => {
    const event = JSON.parse(data);
    hear[event.event]?.(event);
    known.last = event.event;
  };
</script>`;

interface Known {
  flow: string;
  active: string;
  hand: string[];
  field: string[];
  betweenRounds: boolean;
  stale: boolean;
  finished: boolean;
  refused: { error_code: string }[];
  last?: string;
}

const knows = (page: Page): Promise<Known> => page.evaluate(() => (window as unknown as { known: Known }).known);

/** Plays to the end; the page is reloaded the first time each state is met. */
async function playThrough(html: string): Promise<string[]> {
  const order = { game: 'koikoi', rules: { rounds: 6 }, seed: 'plain', seats: [{ name: 'Ada', kind: 'human' }, { kind: 'bot', bot: 'random' }] };
  const laid = await house.call<{ table_id: string; player_id: string; token: string }>('/api/v1/tables', { method: 'POST', body: JSON.stringify(order) });
  const page = await (await browser.newContext({ baseURL: house.url, permissions: ['local-network-access'] })).newPage();
  await page.route('**/plain?*', (route) => route.fulfill({ contentType: 'text/html', body: html }));
  await page.goto(`/plain?table=${laid.table_id}&me=${laid.player_id}&token=${laid.token}`);
  const reloaded = new Set<string>();
  const come = () =>
    page.waitForFunction(
      (me) => {
        const { known } = window as unknown as { known: Known };
        const isTold = known.last !== undefined && known.last !== 'TurnError' && !known.stale;
        return known.finished || known.betweenRounds || (isTold && known.active === me);
      },
      laid.player_id,
      { timeout: 20_000 },
    );
  for (let step = 0; step < 400; step += 1) {
    await come();
    const before = await knows(page);
    // Between rounds a snapshot names who opens the next one: too early a card is refused, and nothing else.
    expect(before.refused.filter((refusal) => refusal.error_code !== 'INVALID_STATE')).toEqual([]);
    const state = before.finished ? 'FINISHED' : before.betweenRounds ? 'BETWEEN_ROUNDS' : before.flow;
    if (!reloaded.has(state)) {
      reloaded.add(state);
      await page.reload();
      await page.waitForFunction(() => (window as unknown as { known: Known }).known?.last === 'GameSnapshotRestore');
      const after = await knows(page);
      // A snapshot is enough for the same picture; between rounds the next deal may be there already.
      if (state !== 'BETWEEN_ROUNDS') {
        expect([after.hand.toSorted(), after.field]).toEqual([before.hand.toSorted(), before.field]);
        expect(after.flow).toMatch(/^AWAITING_/);
      }
      if (state !== 'FINISHED' && state !== 'BETWEEN_ROUNDS') expect([after.flow, after.active]).toEqual([before.flow, before.active]);
    }
    if (before.finished) break;
    const now = await knows(page);
    if (now.active !== laid.player_id || now.betweenRounds) {
      await page.waitForTimeout(100);
      continue;
    }
    await page.evaluate(() => {
      const { known, act } = window as unknown as { known: Known; act: () => void };
      delete known.last;
      act();
    });
  }
  await page.context().close();
  return [...reloaded].toSorted();
}

const EVERY_STATE = ['AWAITING_DECISION', 'AWAITING_HAND_PLAY', 'AWAITING_SELECTION', 'BETWEEN_ROUNDS', 'FINISHED'];

test('a plain page with an EventSource plays to the end by the event contract alone', async () => {
  expect(await playThrough(BY_EVENTS)).toEqual(EVERY_STATE);
});

test('a plain page with a WebSocket plays to the end by the protocol alone', async () => {
  expect(await playThrough(BY_SOCKET)).toEqual(EVERY_STATE);
});

// Streams recorded from the house, as the seat of Anna saw them, with the
// snapshots she could have asked for in between: both ways to know a table
// must tell the same, and what the client derives must be what the house allows.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Event, MELDS_DECLARED, Snapshot } from '../../wire/binokel.events';
import { leastBid } from './auction';
import { fold } from './fold';
import { awaiting, count, empty, isOver, of, specials, type Game } from './game';
import { legal } from './legal';
import { melds } from './melds';

const ANNA = 0;
const STREAMS = ['two', 'three', 'four', 'team', 'announced'] as const;

const read = (name: string): Event[] =>
  readFileSync(join(import.meta.dirname, 'streams', `${name}.jsonl`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Event);

/** Every message with the table before and after it, snapshots aside. */
function* played(name: string): Generator<{ message: Event; before: Game; game: Game }> {
  let game = empty();
  for (const message of read(name)) {
    const before = game;
    if (message.type !== 'SNAPSHOT') game = fold(game, message);
    yield { message, before, game };
  }
}

/** What a snapshot can know: not what was said before the last bid, nor the sheet of earlier rounds. */
const standing = (game: Game) => {
  const { sheet: _sheet, moved: _moved, tookUp: _tookUp, lastTrick, players, ...rest } = game;
  const winner = lastTrick && { winner: lastTrick.winner, cards: lastTrick.cards };
  return { ...rest, lastTrick: winner, players: players.map(({ call: _call, ...player }) => player) };
};

describe.each(STREAMS)('the stream of %s', (name) => {
  it('ends with a winner and with nobody waited for', () => {
    const { game } = [...played(name)].at(-1)!;
    expect(isOver(game)).toBe(true);
    expect(awaiting(game)).toEqual([]);
    expect(game.sheet.at(-1)?.totals).toEqual(game.totals);
  });

  it('tells the same as a snapshot at every moment', () => {
    for (const { message, game } of played(name)) {
      if (message.type !== 'SNAPSHOT') continue;
      const snapshot = standing(fold(empty(), message));
      const folded = standing(game);
      // The trick before the first of a round is of no use, and a snapshot keeps it.
      if (game.phase !== 'tricks' || game.lastTrick === null) folded.lastTrick = snapshot.lastTrick = null;
      expect(folded, `at ${message.payload.lastEventSequence}`).toEqual(snapshot);
    }
  });

  it('allows what the house allows', () => {
    const asked = new Set<string>();
    for (const { message, game } of played(name)) {
      if (message.type !== 'SNAPSHOT') continue;
      const { may }: Snapshot = message.payload;
      if (may.bid) {
        asked.add('bid');
        expect(leastBid(game.auction, game.rules!.minimum_bid)).toBe(may.bid.minimum);
        expect(may.pass).toBe(game.auction.highest !== null);
      }
      expect(game.phase === 'takingDabb' && game.awaits.includes(ANNA)).toBe(may.takeDabb);
      expect(game.phase === 'melding' && game.awaits.includes(ANNA)).toBe(may.declareMelds);
      const offered = game.phase === 'namingTrump' && game.awaits.includes(ANNA) ? specials(game) : [];
      expect(offered).toEqual(may.announce ?? []);
      if (may.playCard) {
        asked.add('play');
        expect(legal(game, ANNA, of(game, ANNA).hand.known).cards.toSorted()).toEqual(may.playCard.toSorted());
      }
    }
    expect(asked).toEqual(new Set(['bid', 'play']));
  });

  it('finds the melds the house finds', () => {
    const own = [...played(name)].filter(({ message }) => message.type === 'MELDS_DECLARED');
    for (const { message, before } of own) {
      const { payload } = message as MELDS_DECLARED;
      const hand = payload.playerIndex === ANNA ? of(before, ANNA).hand.known : payload.melds.flatMap((meld) => meld.cards);
      const found = melds([...new Set(hand)], before.trump!, before.rules);
      const plain = (all: typeof found) => all.map((meld) => `${meld.type} ${meld.points} ${meld.cards.toSorted().join(' ')}`).sort();
      expect(plain(found)).toEqual(plain(payload.melds));
    }
    expect(own.length).toBeGreaterThan(0);
  });

  it('keeps every hand as long as it must be', () => {
    for (const { message, game } of played(name)) {
      if (message.type !== 'TRICK_WON') continue;
      const [first, ...others] = game.players.map((player) => count(player.hand));
      expect(others.every((held) => held === first)).toBe(true);
    }
  });
});

it('leaves the state it was given as it was', () => {
  const messages = read('three');
  const frozen = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
    Object.freeze(value);
    Object.values(value).forEach(frozen);
  };
  let game = empty();
  for (const message of messages) {
    frozen(game);
    frozen(message);
    game = fold(game, message);
  }
  expect(isOver(game)).toBe(true);
});

it('writes a line of the sheet for who goes out', () => {
  const out = [...played('three')].find(({ message }) => message.type === 'ROUND_SCORED')!.game.sheet[0]!;
  expect(out.wentOut).toBe(true);
  expect(out.scores[out.declarer!]!.total).toBe(-out.bid);
});

it('plays an announced game without melds, led by who announced it', () => {
  const announced = [...played('announced')].filter(({ message }) => message.type === 'SPECIAL_ANNOUNCED').map(({ game }) => game.special);
  expect(new Set(announced)).toEqual(new Set(['durch', 'bettel']));
  for (const { message, game } of played('announced')) {
    if (message.type === 'MELDING_COMPLETE' && game.special) expect(game.awaits).toEqual([game.auction.highest!.seat]);
    if (message.type !== 'ROUND_SCORED') continue;
    const entry = game.sheet.at(-1)!;
    if (!entry.special) continue;
    const worth = entry.special === 'durch' ? 1000 : 500;
    const { total, bidMet } = entry.scores[entry.declarer!]!;
    expect(total).toBe(bidMet ? worth : -worth);
    expect(game.players.every((player) => player.melded === null)).toBe(true);
  }
});

it('shows nothing of the others but what was melded, played or taken up for all to see', () => {
  for (const { message, game } of played('two')) {
    if (message.type !== 'CARD_PLAYED') continue;
    const shown = of(game, 1).melded!.melds.flatMap((meld) => meld.cards);
    expect(of(game, 1).hand.known.every((card) => shown.includes(card))).toBe(true);
  }
});

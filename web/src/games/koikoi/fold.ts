// What a viewer knows of a match, folded from the protocol's messages.

import type {
  Card,
  DealtHand,
  DeckFlip,
  Event,
  GameFinishedInGameSnapshotRestore as Finished,
  GameSnapshotRestore,
  HandPlay,
  LastRound as Ended,
  NextState,
  Ruleset,
  ScoredYaku,
  Selection,
  YakuUpdate,
} from '../../wire/koikoi.protocol';

export type { Ended };
export type Await = 'hand' | 'selection' | 'decision';

export interface Side {
  /** The cards, where the viewer may see them. */
  hand: Card[] | null;
  handCount: number;
  captured: Card[];
  yakus: ScoredYaku[];
  base: number;
  calls: number;
  score: number;
}

/** What the last turn did, for outlines. */
export interface Move {
  seat: number;
  /** The card that came from the hand. */
  played: Card | null;
  /** Every card that moved. */
  cards: Card[];
}

export interface Match {
  names: string[];
  rules: Ruleset | null;
  round: number;
  dealer: number | null;
  sides: [Side, Side];
  /** Places on the field; a card keeps its place until it is taken. */
  field: (Card | null)[];
  pile: number;
  awaits: { kind: Await; seat: number } | null;
  selection: Selection | null;
  decision: YakuUpdate | null;
  /** When the awaited player's time is up, on the house's clock. */
  deadline: number | null;
  move: Move | null;
  /** How the last round ended, and which it was. */
  ended: { round: number; how: Ended } | null;
  finished: Finished | null;
}

const PLACES = 8;
const side = (score: number): Side => ({ hand: null, handCount: 0, captured: [], yakus: [], base: 0, calls: 0, score });

export const seatOf = (player: string): number => Number(player.slice(1)) - 1;
export const other = (seat: number): number => 1 - seat;
export const month = (card: Card): number => Number(card.slice(0, 2));
export const onField = (match: Match): Card[] => match.field.filter((card) => card !== null);
export const matching = (card: Card, match: Match): Card[] => onField(match).filter((lies) => month(lies) === month(card));

export function empty(): Match {
  return {
    names: [],
    rules: null,
    round: 0,
    dealer: null,
    sides: [side(0), side(0)],
    field: [],
    pile: 0,
    awaits: null,
    selection: null,
    decision: null,
    deadline: null,
    move: null,
    ended: null,
    finished: null,
  };
}

export const awaiting = (match: Match): number[] => (match.awaits ? [match.awaits.seat] : []);
export const isOver = (match: Match): boolean => match.finished !== null;

/** A turn is looked at before the next one follows. */
export function beat(message: Event): number {
  switch (message.event) {
    case 'TurnCompleted':
    case 'SelectionRequired':
    case 'DecisionRequired':
      return 700;
    case 'TurnProgressAfterSelection':
    case 'DecisionMade':
      return 500;
    default:
      return 0;
  }
}

export function fold(match: Match, message: Event): Match {
  switch (message.event) {
    case 'GameStarted':
      return { ...empty(), names: message.players.map((player) => player.name), rules: message.ruleset };
    case 'RoundDealt':
      return {
        ...match,
        ...waits(message.next_state, message),
        round: message.round,
        dealer: seatOf(message.dealer),
        sides: [dealt(match.sides[0], message.hands[0]), dealt(match.sides[1], message.hands[1])],
        field: [...message.field],
        pile: message.deck_remaining,
        move: null,
      };
    case 'TurnCompleted': {
      const seat = seatOf(message.player);
      let next = played(begin(match, seat), seat, message.hand_play);
      next = flipped(next, seat, message.deck_flip);
      return { ...holding(next, seat, message.yaku_update), ...waits(message.next_state, message) };
    }
    case 'SelectionRequired': {
      const seat = seatOf(message.player);
      const next = played(begin(match, seat), seat, message.completed.hand_play);
      return {
        ...next,
        ...waits(message.next_state, message),
        move: next.move && { ...next.move, cards: [...next.move.cards, message.selection.source] },
        selection: message.selection,
        pile: message.deck_remaining,
      };
    }
    case 'TurnProgressAfterSelection': {
      const seat = seatOf(message.player);
      const { source, captured } = message.selected_capture;
      const next = taken({ ...match, pile: message.deck_remaining }, seat, source, captured);
      return { ...holding(next, seat, message.yaku_update), ...waits(message.next_state, message) };
    }
    case 'DecisionRequired': {
      const seat = seatOf(message.player);
      const { hand_play, deck_flip } = message.completed;
      // A turn that was told before only waits for its decision now.
      let next = hand_play ? played(begin(match, seat), seat, hand_play) : match;
      next = deck_flip ? flipped(next, seat, deck_flip) : next;
      next = holding(next, seat, message.yaku_update);
      return { ...next, ...waits(message.next_state, message), decision: message.yaku_update };
    }
    case 'DecisionMade': {
      const seat = seatOf(message.player);
      const next = alter(match, seat, { calls: message.called_count });
      return { ...next, ...waits(message.next_state, message) };
    }
    case 'RoundScored':
    case 'RoundDrawn':
    case 'RoundEndedInstantly':
      return {
        ...scored(shown(match, message), message.cumulative_scores),
        ...waits(null, message),
        ended: { round: match.round, how: message },
      };
    case 'GameFinished':
      return { ...scored(match, message.final_scores), ...waits(null, message), finished: message };
    case 'GameSnapshotRestore':
      return restored(message);
    case 'TurnError':
    case 'PlayerConnectionChanged':
    case 'CommandAnswered':
      return match;
  }
}

function alter(match: Match, seat: number, change: Partial<Side>): Match {
  const [first, second] = match.sides;
  const sides: [Side, Side] = seat === 0 ? [{ ...first, ...change }, second] : [first, { ...second, ...change }];
  return { ...match, sides };
}

export function of(match: Match, seat: number): Side {
  return seat === 0 ? match.sides[0] : match.sides[1];
}

const KINDS: Record<NextState['type'], Await> = {
  AWAITING_HAND_PLAY: 'hand',
  AWAITING_SELECTION: 'selection',
  AWAITING_DECISION: 'decision',
};

function waits(next: NextState | null, at: { timestamp: number; timeout_seconds?: number | null }) {
  const awaits = next && { kind: KINDS[next.type], seat: seatOf(next.active_player) };
  const deadline = next && at.timeout_seconds ? at.timestamp + at.timeout_seconds * 1000 : null;
  return { awaits, deadline, selection: null, decision: null };
}

function dealt(before: Side, hand: DealtHand): Side {
  const cards = 'cards' in hand ? [...hand.cards] : null;
  const handCount = 'cards' in hand ? hand.cards.length : hand.count;
  return { ...side(before.score), hand: cards, handCount };
}

const begin = (match: Match, seat: number): Match => ({ ...match, move: { seat, played: null, cards: [] } });

function played(match: Match, seat: number, play: HandPlay): Match {
  const { hand, handCount } = of(match, seat);
  const next = alter(match, seat, {
    hand: hand && hand.filter((card) => card !== play.played),
    handCount: handCount - 1,
  });
  const move = next.move && { ...next.move, played: play.played };
  return taken({ ...next, move }, seat, play.played, play.captured);
}

function flipped(match: Match, seat: number, flip: DeckFlip): Match {
  return taken({ ...match, pile: flip.deck_remaining }, seat, flip.flipped, flip.captured);
}

/** A card meets the field: it takes what it takes, or stays. */
function taken(match: Match, seat: number, card: Card, captured: Card[]): Match {
  const move = match.move && { ...match.move, cards: [...match.move.cards, card, ...captured] };
  if (captured.length === 0) return { ...match, move, field: laid(match.field, card) };
  const field = cleared(match.field, captured);
  const next = alter(match, seat, { captured: [...of(match, seat).captured, card, ...captured] });
  return { ...next, move, field };
}

/** Places beyond the first eight are given up when nothing lies in them. */
function cleared(field: (Card | null)[], captured: Card[]): (Card | null)[] {
  const left = field.map((lies) => (lies !== null && captured.includes(lies) ? null : lies));
  const end = left.findLastIndex((lies) => lies !== null) + 1;
  return left.slice(0, Math.max(PLACES, end));
}

function laid(field: (Card | null)[], card: Card): (Card | null)[] {
  const hole = field.indexOf(null);
  return hole < 0 ? [...field, card] : field.with(hole, card);
}

function holding(match: Match, seat: number, update: YakuUpdate | null): Match {
  return update ? alter(match, seat, { yakus: update.all, base: update.total_base }) : match;
}

/** A deal that ends its round turns the cards that caused it face up. */
function shown(match: Match, ended: Ended): Match {
  if (ended.event !== 'RoundEndedInstantly') return match;
  return ended.shown.hands.reduce((next, hand) => {
    const seat = seatOf(hand.player_id);
    return hand.cards.length > 0 && of(next, seat).hand === null ? alter(next, seat, { hand: hand.cards }) : next;
  }, match);
}

function scored(match: Match, scores: { player_id: string; score: number }[]): Match {
  return scores.reduce((next, one) => alter(next, seatOf(one.player_id), { score: one.score }), match);
}

function restored(snapshot: GameSnapshotRestore): Match {
  const { game, round, cards, flow_state: flow } = snapshot;
  const mine = snapshot.my_player_id ? seatOf(snapshot.my_player_id) : 0;
  const standing = (seat: number): Side => {
    const is = <T extends { player_id: string }>(all: T[]) => all.find((one) => seatOf(one.player_id) === seat);
    const open = snapshot.hands && is(snapshot.hands)?.cards;
    const own = seat === mine && snapshot.my_player_id ? cards.my_hand : null;
    return {
      hand: open ?? own,
      handCount: seat === mine ? cards.my_hand_count : cards.opponent_hand_count,
      captured: seat === mine ? cards.my_depository : cards.opponent_depository,
      yakus: is(round.yakus)?.yakus ?? [],
      base: is(round.yakus)?.total_base ?? 0,
      calls: is(round.koi_status)?.called_count ?? 0,
      score: is(game.cumulative_scores)?.score ?? 0,
    };
  };
  const { context } = flow;
  const last = snapshot.last_round;
  return {
    names: game.players.map((player) => player.name),
    rules: game.ruleset,
    round: round.number,
    dealer: seatOf(round.dealer),
    sides: [standing(0), standing(1)],
    field: [...cards.field, ...Array<null>(Math.max(0, PLACES - cards.field.length)).fill(null)],
    pile: cards.deck_remaining,
    awaits: snapshot.phase === 'PLAYING' ? { kind: KINDS[flow.type], seat: seatOf(flow.active_player) } : null,
    selection: context && 'selection' in context ? context.selection : null,
    decision: context && 'yaku_update' in context ? context.yaku_update : null,
    deadline: flow.seconds_left === null ? null : snapshot.timestamp + flow.seconds_left * 1000,
    move: null,
    ended: last && { round: round.number, how: last },
    finished: snapshot.finished,
  };
}

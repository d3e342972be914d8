import { describe, expect, test } from 'vitest';
import type { Event, Rules } from '../../wire/mafia.events';
import { fold } from './fold';
import { choose, moves } from './moves';
import { empty, idOf, type Role, type Town } from './town';

const RULES: Rules = {
  players: 5,
  mafia: 2,
  doctor: 1,
  sheriff: 1,
  villagers: null,
  discussionRounds: 1,
  speakingOrder: 'roundRobin',
  voteRule: 'plurality',
  tieRule: 'revote',
  votes: 'open',
  flip: { vote: 'role', nightKill: 'role' },
  mafiaChannel: false,
  noKill: false,
  acknowledge: false,
  nightSeconds: 60,
  turnSeconds: 60,
  voteSeconds: 60,
};
const ROLES: Role[] = ['mafia', 'mafia', 'doctor', 'sheriff', 'villager'];

const said = (eventType: string, payload: unknown): Event => ({ eventType, gameId: 'g', sequence: 0, timestamp: 0, payload }) as Event;
const phase = (to: string, dayNumber: number) => said('PHASE_CHANGED', { from: 'SETUP', to, dayNumber, roundNumber: 0 });

/** A town as this seat knows it, after these messages. */
function town(me: number, rules: Partial<Rules>, ...messages: Event[]): Town {
  const knows = (seat: number) => seat === me || (ROLES[me] === 'mafia' && ROLES[seat] === 'mafia');
  const initialRoles = ROLES.map((role, seat) => ({ playerId: idOf(seat), playerName: `Player ${seat + 1}`, ...(knows(seat) && { role }) }));
  return [said('GAME_CREATED', { initialRoles, rules: { ...RULES, ...rules } }), ...messages].reduce(fold, empty());
}

const night = phase('NIGHT_ACTIONS', 0);

describe('by night', () => {
  test('the mafia kills anyone but its own', () => {
    expect(moves(town(0, {}, night), 0)).toMatchObject({ choice: 'KILL', targets: [2, 3, 4], isAwaited: true, mayChooseNobody: false });
    expect(moves(town(0, { noKill: true }, night), 0)?.mayChooseNobody).toBe(true);
  });

  test('a choice can be changed while others are awaited', () => {
    const chosen = said('NIGHT_ACTION_SUBMITTED', { agentId: 'p1', actionType: 'KILL', targetId: 'p5' });
    expect(moves(town(0, {}, night, chosen), 0)).toMatchObject({ chosen: 4, isAwaited: false, targets: [2, 3, 4] });
  });

  test('the doctor guards anyone, never the same one twice in a row', () => {
    expect(moves(town(2, {}, night), 2)?.targets).toEqual([0, 1, 2, 3, 4]);
    const resolved = said('NIGHT_RESOLVED', { nightNumber: 1, killedPlayerId: null, protectedPlayerId: 'p3', protectionPreventsKill: false, investigationResult: null });
    const second = [night, phase('MORNING_REVEAL', 1), resolved, phase('NIGHT_ACTIONS', 1)];
    expect(moves(town(2, {}, ...second), 2)?.targets).toEqual([0, 1, 3, 4]);
  });

  test('the sheriff asks after anyone else', () => {
    expect(moves(town(3, {}, night), 3)).toMatchObject({ choice: 'INVESTIGATE', targets: [0, 1, 2, 4] });
  });

  test('a villager sleeps, and says so where the night waits for everyone', () => {
    expect(moves(town(4, {}, night), 4)).toMatchObject({ choice: null, targets: [], mayAcknowledge: false, isAwaited: false });
    expect(moves(town(4, { acknowledge: true }, night), 4)).toMatchObject({ mayAcknowledge: true, isAwaited: true });
  });

  test('only the mafia whispers, and only where the rules let it', () => {
    expect(moves(town(0, {}, night), 0)?.mayWhisper).toBe(false);
    expect(moves(town(0, { mafiaChannel: true }, night), 0)?.mayWhisper).toBe(true);
    expect(moves(town(2, { mafiaChannel: true }, night), 2)?.mayWhisper).toBe(false);
  });
});

describe('by day', () => {
  test('whoever has the floor speaks, the others listen', () => {
    const day = phase('DAY_DISCUSSION', 1);
    expect(moves(town(0, {}, day), 0)?.asked).toBe('speak');
    expect(moves(town(1, {}, day), 1)).toBeNull();
  });

  test('everyone bids for the floor where it is bid for', () => {
    const day = phase('DAY_DISCUSSION', 1);
    expect(moves(town(1, { speakingOrder: 'bidding' }, day), 1)?.asked).toBe('bid');
    const bid = said('FLOOR_BID', { agentId: 'p2', amount: 2, turn: 1 });
    expect(moves(town(1, { speakingOrder: 'bidding' }, day, bid), 1)).toBeNull();
  });

  test('one votes against a living other, or abstains', () => {
    const dead = said('PLAYER_ELIMINATED', { playerId: 'p4', eliminatedBy: 'night_kill', roundNumber: 1, flipRevealedRole: false });
    expect(moves(town(4, {}, dead, phase('DAY_VOTING', 1)), 4)).toMatchObject({ choice: 'VOTE', targets: [0, 1, 2], mayChooseNobody: true });
    expect(moves(town(3, {}, dead, phase('DAY_VOTING', 1)), 3)).toBeNull();
  });

  test('a second ballot is between those who tied', () => {
    const tie = said('VOTE_RESULT', { roundNumber: 1, eliminatedPlayerId: null, votes: [], tie: true, ballot: 1, runoff: ['p1', 'p3'] });
    expect(moves(town(2, {}, phase('DAY_VOTING', 1), tie), 2)?.targets).toEqual([0]);
  });
});

test('a choice is sent as the contract wants it', () => {
  expect(choose('VOTE', null)).toEqual({ type: 'VOTE', target: null });
  expect(choose('KILL', 4)).toEqual({ type: 'KILL', target: 'p5' });
  expect(choose('PROTECT', null)).toBeNull();
});

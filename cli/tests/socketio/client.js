// A player at a running server: HTTP for the session, socket.io-client for
// the game. It checks everything it is told.
'use strict';

const assert = require('node:assert/strict');
const { io } = require('socket.io-client');
const { Table } = require('./table.js');

const PATIENCE = 20_000;
const url = process.env.PARLOR_URL;

const within = (promise, what) => {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} did not happen in time`)), PATIENCE);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
};

const pause = (milliseconds) => new Promise((done) => { setTimeout(done, milliseconds); });

// Numbers that look random and are the same every time.
const chanceFrom = (seed) => {
  let state = (seed * 0x9e3779b9) >>> 0 || 1;
  return () => {
    state ^= state << 13; state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5; state >>>= 0;
    return state / 2 ** 32;
  };
};

// One HTTP call: status and body.
const call = async (method, path, body, headers = {}) => {
  const sent = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
  const answer = await fetch(url + path, {
    method, body: sent, headers: { 'content-type': 'application/json', ...headers },
  });
  const text = await answer.text();
  assert.ok(answer.status < 500, `${method} ${path}: ${answer.status} ${text}`);
  assert.ok(!/<html|<!doctype/i.test(text), `${path} answers with a page`);
  const isJson = (answer.headers.get('content-type') ?? '').includes('application/json');
  return { status: answer.status, body: isJson && text ? JSON.parse(text) : text };
};

const expect = async (status, method, path, body, headers) => {
  const answer = await call(method, path, body, headers);
  assert.equal(answer.status, status, `${method} ${path}: ${JSON.stringify(answer.body)}`);
  return answer.body;
};

const refused = async (status, code, method, path, body, headers) => {
  const answer = await expect(status, method, path, body, headers);
  assert.equal(answer.code, code, JSON.stringify(answer));
  assert.equal(typeof answer.error, 'string');
};

class Player {
  constructor({ seat, secretId, sessionId, seed = 1, ...options }) {
    Object.assign(this, { seat, secretId, sessionId });
    this.chance = chanceFrom(seed * 31 + seat + 1);
    this.table = new Table(seat);
    this.heard = { 'player:joined': [], 'player:left': [], 'player:reconnected': [], 'player:substituted': [], error: [] };
    this.batches = [];
    this.events = [];
    this.syncs = [];
    this.states = 0;
    this.waiting = [];
    this.plays = false;
    this.failure = null;
    this.socket = io(url, {
      auth: { secretId, sessionId }, forceNew: true, reconnectionDelay: 20,
      reconnectionDelayMax: 100, ...options,
    });
    for (const [name, list] of Object.entries(this.heard)) {
      this.socket.on(name, (payload) => this.take(() => list.push(payload)));
    }
    this.socket.on('game:state', (state) => this.take(() => this.start(state)));
    this.socket.on('game:events', (batch) => this.take(() => this.follow(batch)));
    this.socket.on('session:terminated', (payload) => this.take(() => { this.terminated = payload; }));
    this.socket.on('disconnect', (reason) => this.take(() => { this.left = reason; }));
    this.socket.on('connect_error', (error) => this.take(() => { this.unwelcome = error.message; }));
  }

  take(happening) {
    try {
      happening();
      if (this.plays) this.move();
    } catch (error) {
      this.failure ??= error;
    }
    this.waiting = this.waiting.filter((ask) => !ask());
  }

  // The past comes whole, and is the past that was heard.
  start({ events, nicknames }) {
    const before = this.events;
    Object.assign(this, { table: new Table(this.seat), events: [], nicknames, moved: null });
    events.forEach((event) => this.fold(event));
    assert.deepEqual(events.slice(0, before.length), before, 'the past does not change');
    this.states += 1;
  }

  follow({ events }) {
    this.batches.push(events);
    // An answer to a sync may repeat what was heard; nothing else may.
    const known = events.filter((event) => event.sequence <= this.table.sequence);
    if (known.length > 0 || events.length === 0) {
      const asked = events.length > 0 ? events[0].sequence - 1 : this.table.sequence;
      assert.ok(this.syncs.includes(asked), `nobody asked for what comes after ${asked}`);
      this.syncs = this.syncs.slice(this.syncs.indexOf(asked) + 1);
    }
    known.forEach((event) => assert.deepEqual(event, this.events[event.sequence - 1]));
    events.slice(known.length).forEach((event) => this.fold(event));
  }

  fold(event) {
    this.table.fold(event);
    this.events.push(event);
  }

  move() {
    // Others may meld before our own melds come back: once a round is enough.
    const { phase, rounds, sequence } = this.table;
    const moment = phase === 'melding' ? `melds of round ${rounds}` : sequence;
    if (this.moved === moment || this.holds(this.table)) return;
    const move = this.socket.connected ? this.table.move(this.chance) : null;
    if (move === null) return;
    this.moved = moment;
    this.socket.emit(...move);
  }

  emit(...said) {
    this.socket.emit(...said);
    return this;
  }

  sync(lastEventSequence) {
    this.syncs.push(lastEventSequence);
    return this.emit('game:sync', { lastEventSequence });
  }

  // Moves by itself from now on, except while it is to hold still.
  play(holds = () => false) {
    Object.assign(this, { plays: true, holds });
    this.take(() => {});
    return this;
  }

  // Waits until this holds; a failed check of any message fails here.
  until(what, holds) {
    return within(new Promise((done, fail) => {
      const ask = () => {
        if (this.failure) fail(this.failure);
        else if (holds(this)) done(this);
        else return false;
        return true;
      };
      if (!ask()) this.waiting.push(ask);
    }), `${this.seat}: ${what}`).catch((error) => {
      const { phase, sequence } = this.table;
      error.message += ` (phase ${phase}, event ${sequence}, errors ${JSON.stringify(this.heard.error)})`;
      throw error;
    });
  }

  connected() {
    return this.until('the state comes', () => this.states > 0);
  }

  // What is sent now is refused like this, on this socket.
  async refused(code, reason, ...said) {
    const before = this.heard.error.length;
    const events = this.events.length;
    this.socket.emit(...said);
    await this.until(`${said[0]} is refused`, () => this.heard.error.length > before);
    const error = this.heard.error[before];
    assert.deepEqual([error.code, error.params?.reason], [code, reason], JSON.stringify([said, error]));
    assert.equal(typeof error.message, 'string');
    assert.equal(this.events.length, events, 'a refusal changes nothing');
  }

  close() {
    this.socket.disconnect();
  }
}

// A session with so many people and bots, everyone seated; nobody connected.
const open = async (people, bots = [], order = {}) => {
  const made = await expect(201, 'POST', '/api/sessions', {
    playerCount: people + bots.length, nickname: 'Ann', targetScore: 300, ...order,
  });
  const seats = [{ seat: 0, ...made }];
  for (const nickname of ['Ben', 'Cem', 'Dora'].slice(0, people - 1)) {
    const joined = await expect(201, 'POST', `/sessions/${made.sessionCode}/join`, { nickname });
    seats.push({ seat: joined.playerIndex, ...joined });
  }
  for (const difficulty of bots) {
    await expect(201, 'POST', `/api/sessions/${made.sessionCode}/ai`, { difficulty },
      { 'x-secret-id': made.secretId });
  }
  return { code: made.sessionCode, id: made.sessionId, host: made.secretId, seats };
};

// Everyone of a session at the table, one after the other.
const gather = async (session, options = () => ({})) => {
  const players = [];
  for (const seat of session.seats) {
    const sitting = { ...seat, sessionId: session.code, ...options(seat.seat) };
    players.push(await new Player(sitting).connected());
  }
  return players;
};

// Plays to the end; everyone agrees with each other and with the server.
const playOut = async (session, players) => {
  players.forEach((player) => player.play());
  await Promise.all(players.map((player) =>
    player.until('the game is finished', ({ table }) => table.phase === 'finished')));
  for (const player of players) {
    assert.deepEqual(player.heard.error, [], 'every move was legal');
    const snapshot = await expect(200, 'GET', `/api/v1/tables/${session.id}/snapshot?dialect=binokel.events`,
      undefined, { authorization: `Bearer ${player.secretId}` });
    assert.deepEqual(snapshot.payload.totalScores, player.table.byKey());
    assert.equal(snapshot.payload.lastEventSequence, player.table.sequence);
  }
  const shown = await expect(200, 'GET', `/api/sessions/${session.code}`);
  assert.equal(shown.status, 'finished');
};

const closeAll = (players) => players.forEach((player) => player.close());

module.exports = { Player, call, chanceFrom, closeAll, expect, gather, open, pause, playOut, refused, url, within };

// Every byte each seat receives, by polling and by websocket, held against
// the truth.
'use strict';

const assert = require('node:assert/strict');
const WebSocket = require('ws');
const { closeAll, expect, gather, open, playOut, url, within } = require('./client.js');

const SEPARATOR = '\x1e';
const CARD = /(?:kreuz|schippe|herz|bollen)-(?:buabe|ober|koenig|10|ass)-[01]/g;

// A listener that speaks Engine.IO by hand and keeps what it gets as it came.
class Ear {
  constructor(seat, auth) {
    Object.assign(this, { seat, auth: `40${JSON.stringify(auth)}`, received: [] });
  }

  take(text) {
    for (const packet of text.split(SEPARATOR)) {
      this.received.push(packet);
      if (packet.includes('"type":"GAME_FINISHED"')) this.done();
    }
  }

  listen() {
    const ended = new Promise((done) => { this.done = done; });
    this.ended = within(ended, `the end by ${this.constructor.name}`);
    return this;
  }
}

class PollingEar extends Ear {
  async open() {
    const opened = await (await fetch(`${url}/socket.io/?EIO=4&transport=polling`)).text();
    const { sid, maxPayload } = JSON.parse(opened.slice(1));
    assert.equal(maxPayload, 16 * 1024);
    this.address = `${url}/socket.io/?EIO=4&transport=polling&sid=${sid}`;
    await this.post(this.auth);
    this.poll();
    return this.listen();
  }

  post(body) {
    return fetch(this.address, { method: 'POST', body, headers: { 'content-type': 'text/plain' } });
  }

  async poll() {
    for (;;) {
      const answer = await fetch(this.address);
      if (answer.status !== 200) return;
      const text = await answer.text();
      this.take(text);
      if (text.split(SEPARATOR).includes('2')) await this.post('3');
    }
  }
}

class SocketEar extends Ear {
  open() {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`);
    socket.on('message', (data) => {
      const text = data.toString();
      if (text.startsWith('0{')) socket.send(this.auth);
      if (text === '2') socket.send('3');
      this.take(text);
    });
    return Promise.resolve(this.listen());
  }
}

// What a seat may know when it hears the event of a sequence, by the log.
// The first event of the log is told as one for each player and one more.
const knowable = (log, seat, players) => {
  const known = Array(players + 1).fill(new Set());
  let round = new Set();
  let declarer = null;
  for (const { eventType, payload } of log.slice(1)) {
    const ids = (value) => JSON.stringify(value ?? []).match(CARD) ?? [];
    if (eventType === 'CARDS_DEALT') round = new Set(ids(payload.hands[seat]));
    if (eventType === 'BIDDING_WON') declarer = payload.playerIndex;
    const open = ['CARD_PLAYED', 'MELDS_DECLARED'].includes(eventType)
      || (['BIDDING_WON', 'DABB_TAKEN'].includes(eventType) && declarer === seat);
    round = new Set([...round, ...(open ? ids(payload) : [])]);
    known.push(round);
  }
  return known;
};

const check = (ear, log, players, secrets) => {
  const known = knowable(log, ear.seat, players);
  let sequence = 0;
  for (const packet of ear.received) {
    const body = packet.startsWith('42') ? JSON.parse(packet.slice(2)) : [];
    const events = body[1]?.events ?? [];
    if (events.length === 0) {
      assert.equal(packet.match(CARD), null, `a card beside events: ${packet}`);
      assert.ok(secrets.every((secret) => !packet.includes(secret)));
    }
    for (const event of events) {
      const text = JSON.stringify(event);
      sequence += 1;
      assert.equal(event.sequence, sequence, 'dense, and once');
      for (const id of text.match(CARD) ?? []) {
        assert.ok(known[sequence - 1].has(id), `seat ${ear.seat} learns of ${id}: ${text}`);
      }
      const hidden = text.match(/\{"id":"hidden[^}]*\}/g) ?? [];
      for (const placeholder of hidden) {
        assert.match(placeholder, /^\{"id":"hidden-\d+","suit":"kreuz","rank":"buabe","copy":0\}$/);
      }
      if (event.type !== 'GAME_FINISHED') {
        assert.ok(secrets.every((secret) => !text.includes(secret)), `the seal is broken: ${text}`);
      }
    }
  }
  assert.equal(sequence, known.length, 'every event was heard');
};

const watch = async (count, seed) => {
  const session = await open(count);
  const players = await gather(session, () => ({ seed }));
  const ears = [];
  for (const { seat, secretId } of session.seats) {
    const auth = { secretId, sessionId: session.code };
    ears.push(await new PollingEar(seat, auth).open(), await new SocketEar(seat, auth).open());
  }
  players[0].emit('game:start');
  await playOut(session, players);
  await Promise.all(ears.map((ear) => ear.ended));
  const text = await expect(200, 'GET', `/api/v1/tables/${session.id}/log?view=admin`, undefined,
    { authorization: `Bearer ${process.env.PARLOR_ADMIN}` });
  const log = text.trim().split('\n').map((line) => JSON.parse(line));
  const { seed: secret, salt } = log[0].payload.seal;
  assert.ok(secret.length === 64 && salt.length === 64);
  ears.forEach((ear) => check(ear, log, count, [secret, salt]));
  closeAll(players);
};

module.exports = {
  hidden: async () => {
    for (const [count, seed] of [[2, 21], [3, 22], [4, 23]]) await watch(count, seed);
  },
};

// A real endpoint of chat completions: it reads a question like a model would,
// and streams its answer a few letters at a time.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Question {
  model: string;
  messages: { role: string; content: string }[];
}

export interface Answer {
  thought: string;
  statement?: string;
  target?: string;
}

/** Whom a question lets one choose, by their ids. */
export function legal(question: string): string[] {
  const list = question.split('Legal: ').at(-1)?.split('\n')[0] ?? '';
  return [...list.matchAll(/\bp\d+\b/g)].map(([id]) => id);
}

export class Endpoint {
  private constructor(
    readonly url: string,
    private readonly server: Server,
  ) {}

  /** Answers every question as `think` does, as soon as that is done. */
  static async open(think: (question: string, model: string) => Promise<Answer>): Promise<Endpoint> {
    const server = createServer((request, response) => void answer(request, response, think));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new Endpoint(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, server);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

async function answer(request: IncomingMessage, response: ServerResponse, think: (question: string, model: string) => Promise<Answer>): Promise<void> {
  if (request.method !== 'POST' || request.url !== '/v1/chat/completions') {
    response.writeHead(404).end();
    return;
  }
  let body = '';
  for await (const piece of request) body += String(piece);
  const { model, messages } = JSON.parse(body) as Question;
  const text = JSON.stringify(await think(messages.at(-1)?.content ?? '', model));
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  const send = (data: unknown) => response.write(`data: ${JSON.stringify(data)}\n\n`);
  for (const content of text.match(/.{1,9}/gsu) ?? []) send({ choices: [{ index: 0, delta: { content } }] });
  send({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
  send({ choices: [], usage: { prompt_tokens: 100, completion_tokens: 20 } });
  response.end('data: [DONE]\n\n');
}

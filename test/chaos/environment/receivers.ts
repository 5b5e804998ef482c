import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** The merchant's servers: two endpoints, one of which fails at times; both can be switched off. */
export interface Receivers {
  readonly urls: { readonly [Endpoint in EndpointName]: string };
  /** Every event an endpoint has received, by event id. */
  readonly taken: { readonly [Endpoint in EndpointName]: ReadonlyMap<string, Taken> };
  /** Descriptions of requests that the service cannot have sent. */
  readonly forgeries: readonly string[];
  trust(secrets: { readonly [Endpoint in EndpointName]: string }): void;
  /** Resets all existing and new connections until `comeBack`. */
  goAway(): void;
  comeBack(): void;
  /** From now on every request is answered with 200. */
  behave(): void;
  close(): Promise<void>;
}

export type EndpointName = 'steady' | 'troubled';
export const ENDPOINT_NAMES: readonly EndpointName[] = ['steady', 'troubled'];

/** One event as received by an endpoint. */
export interface Taken {
  readonly body: string;
  requests: number;
  /** Number of requests answered with 200. */
  responded: number;
  /** Whether another body came with the same id. */
  changed: boolean;
}

/** A delivery has ten attempts: after this many deliberate failures it is accepted. */
const FAILURES_PER_EVENT = 3;
const HANG_MS = 3_000;

export async function startReceivers(seed: number): Promise<Receivers> {
  const taken = { steady: new Map<string, Taken>(), troubled: new Map<string, Taken>() };
  const forgeries: string[] = [];
  let secrets: { readonly [Endpoint in EndpointName]: string } | null = null;
  let isAway = false;
  let misbehaves = true;

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => {});
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const endpoint = ENDPOINT_NAMES.find((name) => request.url === `/${name}`);
    if (endpoint === undefined || secrets === null) return void response.writeHead(404).end();
    const problem = problemOf(request, body, secrets[endpoint]);
    if (problem !== null) {
      forgeries.push(`${endpoint}: ${problem}`);
      return void response.writeHead(400).end();
    }
    const event = recordEvent(taken[endpoint], String(request.headers['webhook-id']), body.toString('utf8'));
    const answer = misbehaves && endpoint === 'troubled' ? responseTo(seed, event) : 'take';
    if (isAway || answer === 'reset') return void request.socket.resetAndDestroy();
    if (answer === 'hang') {
      await sleep(HANG_MS, undefined, { ref: false });
      return void request.socket.destroy();
    }
    if (answer === 'fail') return void response.writeHead(500).end('not now');
    event.responded += 1;
    response.writeHead(200).end('thanks');
  }

  const server = createServer((request, response) => {
    receive(request, response).catch(() => response.destroy());
  });
  server.on('connection', (socket) => {
    if (isAway) socket.resetAndDestroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The system gave no port');
  const origin = `http://127.0.0.1:${address.port}`;

  return {
    urls: { steady: `${origin}/steady`, troubled: `${origin}/troubled` },
    taken,
    forgeries,
    trust(trusted) {
      secrets = trusted;
    },
    goAway() {
      isAway = true;
      server.closeAllConnections();
    },
    comeBack() {
      isAway = false;
    },
    behave() {
      misbehaves = false;
      isAway = false;
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

// Helpers

function problemOf({ headers }: IncomingMessage, body: Buffer, secret: string): string | null {
  const expected = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  if (headers['x-service-signature'] !== expected) return `a request with a wrong signature: ${body.toString('utf8')}`;
  const { id, event } = JSON.parse(body.toString('utf8')) as { readonly id: string; readonly event: string };
  if (headers['webhook-id'] === id && headers['x-service-event'] === event) return null;
  return `headers and body name different events: ${headers['webhook-id']} and ${id}`;
}

function recordEvent(events: Map<string, Taken>, id: string, body: string): Taken {
  const known = events.get(id) ?? { body, requests: 0, responded: 0, changed: false };
  known.requests += 1;
  known.changed ||= known.body !== body;
  events.set(id, known);
  return known;
}

/**
 * Depends only on the event and the number of its requests, so the order of events has no effect.
 */
function responseTo(seed: number, { body, requests }: Taken): 'take' | 'fail' | 'reset' | 'hang' {
  if (requests > FAILURES_PER_EVENT) return 'take';
  const dice = createHash('sha256').update(`${seed} ${requests} ${body}`).digest().readUInt16LE(0) % 1_000;
  if (dice < 100) return 'fail';
  if (dice < 130) return 'reset';
  return dice < 133 ? 'hang' : 'take';
}

import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** A merchant's server: receives webhooks on its own loopback port and verifies them. */
export interface Receiver {
  /** URL to send webhooks to. */
  readonly url: string;
  readonly port: number;
  /** Every request whose body has arrived, in order. */
  readonly requests: readonly ReceivedWebhook[];
  /** Returns the requests so far and clears them. */
  take(): ReceivedWebhook[];
  /** Number of TCP connections so far, including those that sent no request. */
  readonly connections: number;
  /** Sets the secret that signatures are verified with. */
  trust(secret: string): void;
  /** Responses to the next requests, one each; afterwards the usual one applies again. */
  plan(...responses: readonly ReceiverResponse[]): void;
  /** Sets the usual response. */
  usually(answer: ReceiverResponse): void;
  /** Responds to all requests that are hanging. */
  release(): void;
  close(): Promise<void>;
}

export interface ReceivedWebhook {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly isServiceSignatureValid: boolean;
  readonly isStandardSignatureValid: boolean;
}

export type ReceiverResponse =
  | { readonly kind: 'status'; readonly status: number; readonly body?: string }
  | { readonly kind: 'redirect'; readonly status: number; readonly to: string }
  | { readonly kind: 'slow'; readonly byMs: number }
  /** No response until `release`. */
  | { readonly kind: 'hang' }
  | { readonly kind: 'reset' }
  /** 200 and then an endless body, for as long as the sender reads. */
  | { readonly kind: 'endless' };

export const OK: ReceiverResponse = { kind: 'status', status: 200 };

export interface ReceiverOptions {
  /** PEM; when given, the receiver serves https. */
  readonly tls?: { readonly key: string; readonly cert: string };
}

/** Starts a receiver on a free port. */
export async function startReceiver({ tls }: ReceiverOptions = {}): Promise<Receiver> {
  const requests: ReceivedWebhook[] = [];
  const hanging = new Set<() => void>();
  const planned: ReceiverResponse[] = [];
  let usual: ReceiverResponse = OK;
  let secret: string | null = null;
  let connections = 0;

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // Tests make senders disconnect on purpose.
    response.on('error', () => undefined);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    requests.push(inspect(request, Buffer.concat(chunks), secret));
    await respondWith(planned.shift() ?? usual, request, response, hanging);
  }

  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    receive(request, response).catch(() => response.destroy());
  };
  const server = tls === undefined ? createServer(onRequest) : createTlsServer(tls, onRequest);
  server.on('connection', () => {
    connections += 1;
  });
  await listen(server);
  const { port } = server.address() as AddressInfo;

  function release(): void {
    for (const letGo of hanging) letGo();
    hanging.clear();
  }

  return {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}/webhooks?shop=7`,
    port,
    requests,
    take: () => requests.splice(0),
    get connections() {
      return connections;
    },
    trust(trusted) {
      secret = trusted;
    },
    plan(...responses) {
      planned.push(...responses);
    },
    usually(answer) {
      usual = answer;
    },
    release,
    async close() {
      release();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

// Helpers

const ENDLESS_CHUNK = 'x'.repeat(4_096);

function listen(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
}

function inspect(request: IncomingMessage, raw: Buffer, secret: string | null): ReceivedWebhook {
  const { headers, method = '', url: path = '' } = request;
  const body = raw.toString('utf8');
  const byWholeSecret = secret === null ? null : createHmac('sha256', secret).update(raw).digest('hex');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const key = Buffer.from((secret ?? '').replace('whsec_', ''), 'base64');
  const byKey = createHmac('sha256', key).update(signed).digest('base64');
  return {
    method,
    path,
    headers,
    body,
    isServiceSignatureValid: isSame(headers['x-service-signature'], `sha256=${byWholeSecret}`),
    isStandardSignatureValid:
      secret !== null &&
      String(headers['webhook-signature'])
        .split(' ')
        .some((each) => isSame(each, `v1,${byKey}`)),
  };
}

function isSame(given: string | string[] | undefined, expected: string): boolean {
  const [one, other] = [Buffer.from(String(given)), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

async function respondWith(
  answer: ReceiverResponse,
  request: IncomingMessage,
  response: ServerResponse,
  hanging: Set<() => void>,
): Promise<void> {
  switch (answer.kind) {
    case 'status':
      response.writeHead(answer.status, { 'content-type': 'text/plain' }).end(answer.body ?? 'thanks');
      return;
    case 'redirect':
      response.writeHead(answer.status, { location: answer.to }).end();
      return;
    case 'slow':
      await sleep(answer.byMs);
      response.writeHead(200).end();
      return;
    case 'hang':
      await new Promise<void>((resolve) => hanging.add(resolve));
      response.writeHead(200).end();
      return;
    case 'reset':
      request.socket.resetAndDestroy();
      return;
    case 'endless':
      response.writeHead(200);
      // Fails when the sender disconnects, which is expected.
      await pipeline(endlessText(), response).catch(() => undefined);
  }
}

function* endlessText(): Generator<string> {
  for (;;) yield ENDLESS_CHUNK;
}

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient } from '../../src/client/index.ts';

/** A service with scripted responses, one per request, that records the requests. */
export interface ScriptServer {
  readonly requests: readonly Requested[];
  /** The client's pauses in ms; they are skipped. */
  readonly pauses: readonly number[];
  readonly client: ReturnType<typeof createClient>;
  plan(...responses: readonly ScriptedResponse[]): void;
  close(): Promise<void>;
}

export interface Requested {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export type ScriptedResponse =
  | { readonly status: number; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }
  /** The connection closes before a response. */
  | 'cut'
  /** Never responds. */
  | 'silence';

/** Long enough for every response; requests planned as silent take this long. */
export const PLANNED_TIMEOUT_MS = 1_500;

export async function startScriptServer(): Promise<ScriptServer> {
  const requests: Requested[] = [];
  const planned: ScriptedResponse[] = [];
  const pauses: number[] = [];

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = '', url = '', headers } = request;
    requests.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
    const next = planned.shift() ?? { status: 500, body: 'nothing was planned' };
    if (next === 'silence') return;
    if (next === 'cut') {
      request.socket.destroy();
      return;
    }
    const text = typeof next.body === 'string' ? next.body : JSON.stringify(next.body ?? {});
    response.writeHead(next.status, { 'content-type': 'application/json', ...next.headers }).end(text);
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    requests,
    pauses,
    client: createClient({
      baseUrl: `http://127.0.0.1:${port}/v1/`,
      apiKey: 'sk_test_key',
      timeoutMs: PLANNED_TIMEOUT_MS,
      sleep: async (ms, signal) => {
        signal?.throwIfAborted();
        pauses.push(ms);
      },
      random: () => 0,
    }),
    plan: (...responses) => void planned.push(...responses),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export function rejection(status: number, error: string, headers: Readonly<Record<string, string>> = {}) {
  const responded = { 'x-request-id': 'req_1', ...headers };
  return { status, headers: responded, body: { success: false, error, message: `failed: ${error}` } };
}

export function success(data: unknown) {
  return { status: 200, body: { success: true, data } };
}

import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';

/** An HTTP server in place of an Ethereum node, for what a real one does not do when asked to. */
export interface FakeRpc {
  readonly url: string;
  /** Everything that was sent, oldest first. */
  readonly requests: readonly ReceivedRequest[];
  /** How many times each method was asked for. */
  count(method: string): number;
  /** Answers every HTTP request; null leaves it without an answer. */
  handle: (request: ReceivedRequest) => HttpReply | null | Promise<HttpReply | null>;
  stop(): Promise<void>;
}

export interface ReceivedRequest {
  readonly headers: IncomingHttpHeaders;
  readonly path: string;
  readonly body: RpcRequest | readonly RpcRequest[];
}

export interface RpcRequest {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

export interface HttpReply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly text: string;
}

/** What a node answers to one call. */
export type Answer =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string } };
/** Null lets the call through to the real node, where there is one. */
export type AnswerCall = (call: RpcRequest) => Answer | null;

export async function startFakeRpc(handle: FakeRpc['handle'] = () => null): Promise<FakeRpc> {
  const requests: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    const respond = async () => {
      const body: ReceivedRequest['body'] = JSON.parse(Buffer.concat(chunks).toString());
      const received = { headers: request.headers, path: request.url ?? '', body };
      requests.push(received);
      const reply = await fake.handle(received);
      if (reply === null) return;
      response.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers });
      response.end(reply.text);
    };
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => void respond().catch((error: Error) => response.destroy(error)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const fake: FakeRpc = {
    url: `http://127.0.0.1:${port}`,
    requests,
    count: (method) => requests.flatMap(callsOf).filter((call) => call.method === method).length,
    handle,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return fake;
}

/** Answers every call, alone or in a batch, by itself; those it has no answer for as a node without that method. */
export function answering(answer: AnswerCall): FakeRpc['handle'] {
  return ({ body }) => {
    const replyTo = (call: RpcRequest) => ({ jsonrpc: '2.0', id: call.id, ...(answer(call) ?? NO_SUCH_METHOD) });
    return { text: JSON.stringify(Array.isArray(body) ? body.map(replyTo) : callsOf({ body }).map(replyTo)[0]) };
  };
}

/** Passes calls on to a real node, but for those it answers by itself. */
export function relaying(url: string, answer: AnswerCall): FakeRpc['handle'] {
  return async ({ body }) => {
    const replyTo = async (call: RpcRequest) => {
      const own = answer(call);
      if (own !== null) return { jsonrpc: '2.0', id: call.id, ...own };
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', ...call }) });
      return response.json();
    };
    const replies = await Promise.all(callsOf({ body }).map(replyTo));
    return { text: JSON.stringify(Array.isArray(body) ? replies : replies[0]) };
  };
}

export function refusing(code: number, message: string): Answer {
  return { error: { code, message } };
}

export function callsOf({ body }: Pick<ReceivedRequest, 'body'>): readonly RpcRequest[] {
  return 'method' in body ? [body] : body;
}

// Helpers

const NO_SUCH_METHOD = refusing(-32_601, 'the method does not exist/is not available');

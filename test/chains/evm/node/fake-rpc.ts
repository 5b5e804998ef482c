import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';

/**
 * An HTTP server in place of an Ethereum node, for behaviour that cannot be forced on a real one.
 */
export interface FakeRpc {
  readonly url: string;
  /** All requests, oldest first. */
  readonly requests: readonly ReceivedRequest[];
  /** Number of calls of a method. */
  count(method: string): number;
  /** Answers every HTTP request; null sends no response. */
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

/** A node's response to one call. */
export type RpcResponse =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string } };
/** Null forwards the call to the real node, if there is one. */
export type ResponseCall = (call: RpcRequest) => RpcResponse | null;

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

/** Answers every call, single or in a batch; without a response, as for an unknown method. */
export function responding(answer: ResponseCall): FakeRpc['handle'] {
  return ({ body }) => {
    const replyTo = (call: RpcRequest) => ({ jsonrpc: '2.0', id: call.id, ...(answer(call) ?? NO_SUCH_METHOD) });
    return { text: JSON.stringify(Array.isArray(body) ? body.map(replyTo) : callsOf({ body }).map(replyTo)[0]) };
  };
}

/** Forwards calls to a real node, except those it answers itself. */
export function relaying(url: string, answer: ResponseCall): FakeRpc['handle'] {
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

export function rejecting(code: number, message: string): RpcResponse {
  return { error: { code, message } };
}

export function callsOf({ body }: Pick<ReceivedRequest, 'body'>): readonly RpcRequest[] {
  return 'method' in body ? [body] : body;
}

// Helpers

const NO_SUCH_METHOD = rejecting(-32_601, 'the method does not exist/is not available');

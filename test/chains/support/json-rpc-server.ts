import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RpcCall, RpcReply } from '../../../src/chains/index.ts';

/** JSON-RPC over HTTP on 127.0.0.1, as nodes of the bitcoind family serve it, with any handler. */
export interface JsonRpcServer {
  /** URL with user and password. The port stays the same while connections are refused. */
  readonly url: string;
  /** Sets how it misbehaves; null ends it. Requests already in progress are not affected. */
  misbehave(how: Misbehaviour | null): Promise<void>;
  /** Number of calls answered so far, by method. */
  readonly calls: ReadonlyMap<string, number>;
  stop(): Promise<void>;
}

/** Failures of a node, or of something in front of it, that do not depend on the call. */
export type Misbehaviour =
  /** Nothing listens on the port. */
  | 'refuses'
  /** Answers everything, but late. */
  | 'slow'
  /** Reads the request and never answers. */
  | 'hangs'
  /** `Work queue depth exceeded`, the error of an overloaded node. */
  | 'overloaded'
  /** The error page of a proxy whose node is unreachable. */
  | 'html'
  /** JSON, but not JSON-RPC. */
  | 'garbage'
  /** Well-formed responses with results of the wrong type. */
  | 'wrong types'
  /** Breaks the connection in the middle of a response. */
  | 'breaks off'
  /** Starting: error -28. */
  | 'warming up'
  /** Wrong user or password. */
  | 'unauthorized';

/** JSON-RPC error code of a node that is still loading (`rpc/protocol.h`). */
const IN_WARMUP = -28;
const SLOW_MS = 100;

export async function startJsonRpcServer(answer: (call: RpcCall) => Promise<RpcReply>): Promise<JsonRpcServer> {
  const calls = new Map<string, number>();
  let how: Misbehaviour | null = null;
  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body: unknown = JSON.parse(await readAll(request));
    const isBatch = Array.isArray(body);
    const requested = (isBatch ? body : [body]).map(toRequest);
    for (const { method } of requested) calls.set(method, (calls.get(method) ?? 0) + 1);
    if (how !== null && misanswer(how, response)) return;
    if (how === 'slow') await sleep(SLOW_MS);
    const replies = await Promise.all(requested.map((each) => answer(each)));
    const responses = replies.map((reply, index) =>
      toAnswer(requested[index]?.id, how === 'wrong types' ? NONSENSE : reply),
    );
    // A single error has HTTP status 500; a batch always has 200.
    const status = !isBatch && replies[0]?.ok === false ? 500 : 200;
    send(response, status, JSON.stringify(isBatch ? responses : responses[0]));
  }

  async function listen(port: number): Promise<number> {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('the system gave no port');
    return address.port;
  }

  async function close(): Promise<void> {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  }

  const port = await listen(0);
  return {
    url: `http://user:password@127.0.0.1:${port}/`,
    calls,
    async misbehave(next) {
      how = next;
      if (next === 'refuses') await close();
      else if (!server.listening) await listen(port);
    },
    stop: close,
  };
}

// Helpers

const NONSENSE: RpcReply = { ok: true, result: { unexpected: [null] } };

/** True when this has sent the response, whatever the call. */
function misanswer(how: Misbehaviour, response: ServerResponse): boolean {
  switch (how) {
    case 'hangs':
    case 'refuses':
      return true;
    case 'overloaded':
      send(response, 503, 'Work queue depth exceeded');
      return true;
    case 'html':
      send(response, 502, '<html><head><title>502 Bad Gateway</title></head></html>');
      return true;
    case 'garbage':
      send(response, 200, '{"jsonrpc":"2.0","resul');
      return true;
    case 'breaks off':
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      response.write('{"result":', () => response.destroy());
      return true;
    case 'warming up':
      send(
        response,
        500,
        JSON.stringify({ result: null, error: { code: IN_WARMUP, message: 'Loading block index…' }, id: null }),
      );
      return true;
    case 'unauthorized':
      send(response, 401, '');
      return true;
    case 'slow':
    case 'wrong types':
      return false;
  }
}

interface Request extends RpcCall {
  readonly id: unknown;
}

function toRequest(value: unknown): Request {
  if (typeof value !== 'object' || value === null || !('method' in value) || typeof value.method !== 'string') {
    throw new Error('not a JSON-RPC request');
  }
  const params: unknown = 'params' in value ? value.params : [];
  if (!Array.isArray(params)) throw new Error('this server takes parameters by position only');
  return { id: 'id' in value ? value.id : null, method: value.method, params };
}

/** `RpcError` adds method and code to the node's message; the response has only the message. */
function toAnswer(id: unknown, reply: RpcReply): object {
  if (reply.ok) return { result: reply.result, error: null, id };
  const { code, method, message } = reply.error;
  const bare = message.slice(`${method}: `.length, -` (${code})`.length);
  return { result: null, error: { code, message: bare }, id };
}

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function send(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(text);
}

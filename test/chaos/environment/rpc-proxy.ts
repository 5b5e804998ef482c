import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** An HTTP proxy in front of one node's JSON-RPC that can answer in place of the node. */
export interface RpcProxy {
  readonly port: number;
  /** Closes every connection, as a restart of the node does, and changes responses until `end`. */
  interfere(interference: Interference): Interfering;
  /** Runs `work` while the node answers none of the requests that come through here. */
  hold<T>(work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Several interferences may be active at once; the first one that changes a response wins. */
export interface Interfering {
  /** Number of requests whose response was changed so far. */
  changed(): number;
  /** Ends it and returns the final number. */
  end(): number;
}

export interface Interference {
  /** Answers a whole request without the node; null forwards it to the node. */
  readonly reject?: (methods: readonly string[]) => Rejection | null;
  /** Replaces the node's reply to one call; null keeps the reply. */
  readonly replace?: (call: RpcCall, reply: RpcReply) => RpcReply | null;
}

/** An HTTP response, or none at all until the interference ends. */
export type Rejection = { readonly status: number; readonly body: string } | 'no response';

export interface RpcCall {
  readonly id: unknown;
  readonly method: string;
  readonly params?: readonly unknown[];
}

export interface RpcReply {
  readonly id: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string } | null;
}

export async function createRpcProxy(target: string): Promise<RpcProxy> {
  const { origin, pathname } = new URL(target);
  const active = new Set<Active>();
  const inFlight = new Set<Promise<unknown>>();
  let held: Promise<unknown> | null = null;

  async function ask(...request: Parameters<typeof fetch>): Promise<{ status: number; text: string }> {
    while (held !== null) await held;
    const asking = fetch(...request).then(async (replied) => ({ status: replied.status, text: await replied.text() }));
    const settled = asking.catch(() => undefined);
    inFlight.add(settled);
    void settled.then(() => inFlight.delete(settled));
    return asking;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readAll(request);
    const calls = readCalls(body);
    const methods = calls.map(({ method }) => method);
    for (const each of active) {
      const rejection = each.interference.reject?.(methods) ?? null;
      if (rejection === null) continue;
      each.changed += 1;
      if (rejection === 'no response') return void each.unverified.add(response);
      return void response.writeHead(rejection.status, { 'content-type': 'application/json' }).end(rejection.body);
    }
    const { authorization } = request.headers;
    const headers = { 'content-type': 'application/json', ...(authorization === undefined ? {} : { authorization }) };
    const replied = await ask(`${origin}${request.url ?? pathname}`, { method: 'POST', headers, body });
    response.writeHead(replied.status, { 'content-type': 'application/json' }).end(replaceIn(replied.text, calls));
  }

  function replaceIn(text: string, calls: readonly RpcCall[]): string {
    const replacing = [...active].filter(({ interference }) => interference.replace !== undefined);
    if (replacing.length === 0) return text;
    const parsed = JSON.parse(text) as RpcReply | readonly RpcReply[];
    const affected = new Set<Active>();
    const replaced = [parsed].flat().map((reply) => {
      const call = calls.find(({ id }) => id === reply.id);
      for (const each of call === undefined ? [] : replacing) {
        const other = each.interference.replace?.(call as RpcCall, reply) ?? null;
        if (other === null) continue;
        affected.add(each);
        return other;
      }
      return reply;
    });
    for (const each of affected) each.changed += 1;
    return affected.size === 0 ? text : JSON.stringify(Array.isArray(parsed) ? replaced : replaced[0]);
  }

  const server = createServer((request, response) => {
    response.on('error', () => {});
    // The node is unreachable or its response is not JSON-RPC: the client sees a broken connection,
    // as without a proxy.
    answer(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The system gave no port');

  function end(each: Active): number {
    active.delete(each);
    for (const response of each.unverified) response.destroy();
    return each.changed;
  }

  return {
    port: address.port,
    interfere(interference) {
      const started: Active = { interference, unverified: new Set(), changed: 0 };
      active.add(started);
      server.closeAllConnections();
      return { changed: () => started.changed, end: () => end(started) };
    },
    async hold(work) {
      while (held !== null) await held;
      const working = Promise.all(inFlight).then(work);
      held = working.catch(() => undefined);
      try {
        return await working;
      } finally {
        held = null;
      }
    },
    async close() {
      for (const each of active) end(each);
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

// Helpers

interface Active {
  readonly interference: Interference;
  readonly unverified: Set<ServerResponse>;
  changed: number;
}

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function readCalls(body: string): readonly RpcCall[] {
  const parsed = JSON.parse(body) as RpcCall | readonly RpcCall[];
  return [parsed].flat();
}

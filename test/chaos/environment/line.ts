import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A TCP line from one process to one server that can break, or drop all data without breaking. */
export interface Line {
  readonly name: string;
  readonly port: number;
  /** Resets every connection and refuses new ones until `repair`. */
  cut(): void;
  /**
   * Accepts and keeps connections but carries no data until `repair`; pending data arrives later.
   */
  stall(): void;
  /** Existing connections carry no data from now on, even after `repair`. Returns their number. */
  silence(): number;
  repair(): void;
  close(): Promise<void>;
}

/** After this time a server's keepalive ends a session whose client has vanished. */
const KEEPALIVE_MS = 60_000;

export async function createLine(name: string, target: { readonly port: number }): Promise<Line> {
  const pairs = new Set<readonly [Socket, Socket]>();
  const silent = new Set<readonly [Socket, Socket]>();
  let state: 'open' | 'cut' | 'stalled' = 'open';

  const server = createServer((client) => {
    client.on('error', () => {});
    if (state === 'cut') return void client.resetAndDestroy();
    const upstream = connect({ host: '127.0.0.1', port: target.port });
    const pair = [client, upstream] as const;
    pairs.add(pair);
    for (const [socket, other] of [pair, [upstream, client] as const]) {
      socket.setNoDelay(true);
      socket.on('error', () => {});
      socket.on('close', () => {
        pairs.delete(pair);
        if (!silent.has(pair)) return void other.destroy();
        // Neither side sees the other close; the server's keepalive detects it eventually.
        if (socket === client) setTimeout(() => upstream.destroy(), KEEPALIVE_MS).unref();
        else if (client.closed) silent.delete(pair);
      });
    }
    if (state === 'open') join(pair);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The system gave no port');

  function cut(): void {
    state = 'cut';
    for (const [client, upstream] of [...pairs, ...silent]) {
      client.resetAndDestroy();
      upstream.resetAndDestroy();
    }
  }

  return {
    name,
    port: address.port,
    cut,
    stall() {
      state = 'stalled';
      for (const pair of pairs) part(pair);
    },
    silence() {
      const count = pairs.size;
      for (const pair of pairs) {
        part(pair);
        silent.add(pair);
        // Reads and discards data, so that the proxy notices when the client closes.
        for (const socket of pair) socket.resume();
      }
      pairs.clear();
      return count;
    },
    repair() {
      if (state === 'stalled') for (const pair of pairs) join(pair);
      state = 'open';
    },
    async close() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}

// Helpers

function part([client, upstream]: readonly [Socket, Socket]): void {
  client.unpipe(upstream).pause();
  upstream.unpipe(client).pause();
}

function join([client, upstream]: readonly [Socket, Socket]): void {
  client.pipe(upstream);
  upstream.pipe(client);
}

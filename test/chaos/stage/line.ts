import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A TCP line from one process to one server, which can break and which can swallow everything without breaking. */
export interface Line {
  readonly name: string;
  readonly port: number;
  /** Resets every connection and refuses new ones until `mend`. */
  cut(): void;
  /** Takes connections, keeps those there are, and carries nothing until `mend`: what is under way comes later. */
  stall(): void;
  mend(): void;
  close(): Promise<void>;
}

export async function createLine(name: string, target: { readonly port: number }): Promise<Line> {
  const pairs = new Set<readonly [Socket, Socket]>();
  let state: 'open' | 'cut' | 'stalled' = 'open';

  const server = createServer((client) => {
    client.on('error', () => {});
    if (state === 'cut') return void client.resetAndDestroy();
    const upstream = connect({ host: '127.0.0.1', port: target.port });
    const pair = [client, upstream] as const;
    pairs.add(pair);
    for (const [socket, other] of [pair, [upstream, client] as const]) {
      socket.setNoDelay(true);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        pairs.delete(pair);
        other.destroy();
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
    for (const [client, upstream] of pairs) {
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
      for (const [client, upstream] of pairs) {
        client.unpipe(upstream).pause();
        upstream.unpipe(client).pause();
      }
    },
    mend() {
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

function join([client, upstream]: readonly [Socket, Socket]): void {
  client.pipe(upstream);
  upstream.pipe(client);
}

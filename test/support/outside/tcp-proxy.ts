import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A TCP proxy on 127.0.0.1 that can be cut, to make a server unreachable without stopping it. */
export interface TcpProxy {
  readonly port: number;
  /** Breaks every connection and refuses new ones. */
  cut(): Promise<void>;
  /** Accepts connections again. */
  repair(): Promise<void>;
  /**
   * Silently stops forwarding in both directions: connections stay open and new ones are accepted.
   */
  freeze(): void;
  /**
   * Silently stops forwarding on existing connections; new ones work. Returns how many there were.
   */
  silence(): number;
  close(): Promise<void>;
}

export async function createTcpProxy(target: { readonly host: string; readonly port: number }): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let server = createServer();
  let port = 0;
  let isFrozen = false;

  function take(client: Socket): void {
    if (isFrozen) {
      sockets.add(client);
      client.on('error', () => undefined).on('close', () => sockets.delete(client));
      return;
    }
    const upstream = connect(target);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  }

  async function cut(): Promise<void> {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.resetAndDestroy();
    await closed;
  }

  async function repair(): Promise<void> {
    if (server.listening) return;
    server = createServer(take);
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('The system gave no port');
    port = address.port;
  }

  function silence(): number {
    for (const socket of sockets) socket.unpipe().pause();
    return sockets.size / 2;
  }

  function freeze(): void {
    isFrozen = true;
    silence();
  }

  await repair();
  return { port, cut, repair, freeze, silence, close: cut };
}

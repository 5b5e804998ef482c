import { once } from 'node:events';
import { createServer } from 'node:net';
import { TerminalError } from '../../errors.ts';

/** A port that nobody else can take until it is released. */
export interface KeptPort {
  readonly port: number;
  /** To be awaited right before listening on it, or when nobody will. */
  release(): Promise<void>;
}

/**
 * Keeps the port to listen on. Port 0 asks the operating system for a free one now, because links to the payment pages carry it; left
 * to itself until the server is built, it would be given to somebody else now and then. Whoever connects meanwhile is cut off.
 * Throws a `TerminalError` when the port is taken.
 */
export async function keepPort({ host, port }: { host: string; port: number }): Promise<KeptPort> {
  const keeper = createServer((socket) => socket.destroy());
  // Whatever fails before the service listens, this keeps no process alive.
  keeper.unref();
  try {
    await once(keeper.listen(port, host), 'listening');
  } catch (error) {
    throw portTaken(error, { host, port });
  }
  const address = keeper.address();
  let released: Promise<unknown> | undefined;
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    async release() {
      released ??= once(keeper.close(), 'close');
      await released;
    },
  };
}

/** What listening on a port in vain means to whoever runs the service. */
export function portTaken(error: unknown, { host, port }: { host: string; port: number }): TerminalError {
  const { code } = error as NodeJS.ErrnoException;
  const taken = code === 'EADDRINUSE' ? 'is in use by another program' : `cannot be listened on (${code})`;
  const message = `Port ${port} on ${host} ${taken}. Set PORT (or HOST) to something free.`;
  return new TerminalError('PORT_TAKEN', message, { cause: error });
}

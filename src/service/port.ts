import { once } from 'node:events';
import { createServer } from 'node:net';
import { TerminalError } from '../platform/errors.ts';

/** A port reserved for this process until it is released. */
export interface ReservedPort {
  readonly port: number;
  /** Await it right before listening on the port, or when the port is not needed. */
  release(): Promise<void>;
}

/**
 * Reserves the port to listen on. Links to the payment pages contain the port, so with port 0 the
 * operating system must choose one now; unless it stays reserved, another process sometimes gets it
 * before the server is built. Connections in the meantime are closed. Throws a `TerminalError` when
 * the port is taken.
 */
export async function reservePort({ host, port }: { host: string; port: number }): Promise<ReservedPort> {
  const server = createServer((socket) => socket.destroy());
  // If the start fails before the service listens, this must not keep the process running.
  server.unref();
  try {
    await once(server.listen(port, host), 'listening');
  } catch (error) {
    throw portTaken(error, { host, port });
  }
  const address = server.address();
  let released: Promise<unknown> | undefined;
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    async release() {
      released ??= once(server.close(), 'close');
      await released;
    },
  };
}

/** The `PORT_TAKEN` error, with its remedy, for a failed attempt to listen. */
export function portTaken(error: unknown, { host, port }: { host: string; port: number }): TerminalError {
  const { code } = error as NodeJS.ErrnoException;
  const taken = code === 'EADDRINUSE' ? 'is in use by another program' : `cannot be listened on (${code})`;
  const message = `Port ${port} on ${host} ${taken}. Set PORT or HOST to a free address.`;
  return new TerminalError('PORT_TAKEN', message, { cause: error });
}

import { createServer } from 'node:net';
import { TerminalError } from '../../errors.ts';

/**
 * The port to listen on. Port 0 asks the operating system for a free one now, because links to the payment pages carry it.
 * Throws a `TerminalError` when the port is taken.
 */
export function portToListenOn({ host, port }: { host: string; port: number }): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => {
      const taken =
        error.code === 'EADDRINUSE' ? 'is in use by another program' : `cannot be listened on (${error.code})`;
      reject(
        new TerminalError('PORT_TAKEN', `Port ${port} on ${host} ${taken}. Set PORT (or HOST) to something free.`),
      );
    });
    probe.listen(port, host, () => {
      const address = probe.address();
      const found = typeof address === 'object' && address !== null ? address.port : port;
      probe.close(() => resolve(found));
    });
  });
}

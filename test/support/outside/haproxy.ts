import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { waitFor } from '../../../demo/wait.ts';
import { requireComponent } from '../run/components.ts';
import { findProgram } from '../run/find-program.ts';

/** HAProxy with the shipped configuration, in front of two servers. */
export interface Balancer {
  /** URL that accepts requests. */
  readonly url: string;
  /** Number of servers that receive requests now. */
  servers(): Promise<number>;
  stop(): Promise<void>;
}

const CONFIG = resolve(import.meta.dirname, '../../../deploy/haproxy/haproxy.cfg');

/** Starts it on two free loopback ports. Resolves when it accepts requests. */
export async function startBalancer(
  servers: readonly [string, string],
  { port, statusPort }: { readonly port: number; readonly statusPort: number },
): Promise<Balancer> {
  requireComponent('haproxy');
  const child = spawn(findProgram('haproxy') ?? '', ['-db', '-f', CONFIG], {
    env: {
      QUITTANCE_BIND: `127.0.0.1:${port}`,
      QUITTANCE_STATUS_BIND: `127.0.0.1:${statusPort}`,
      QUITTANCE_API_1: servers[0],
      QUITTANCE_API_2: servers[1],
    },
    stdio: 'ignore',
  });
  const killNow = () => void child.kill('SIGKILL');
  process.once('exit', killNow);
  const ask = async () => {
    const response = await fetch(`http://127.0.0.1:${statusPort}/`).catch(() => null);
    return response === null ? null : Number(await response.text());
  };
  await waitFor(ask, () => 'HAProxy did not start');
  return {
    url: `http://127.0.0.1:${port}`,
    servers: async () => (await ask()) ?? 0,
    async stop() {
      process.off('exit', killNow);
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { waitFor } from '../../demo/wait.ts';

/** HAProxy with the configuration that is shipped, before two servers. */
export interface Balancer {
  /** Where it takes requests. */
  readonly url: string;
  /** How many servers it gives requests to now. */
  servers(): Promise<number>;
  stop(): Promise<void>;
}

/** For `requireOrSkip`, when `hasHaproxy` answers false. */
export const HAPROXY_MISSING = { missing: 'haproxy is not installed', remedy: 'apt-get install haproxy' } as const;

const CONFIG = resolve(import.meta.dirname, '../../deploy/haproxy/haproxy.cfg');
/** Debian installs servers in /usr/sbin, which not every PATH contains. */
const EXTRA_BINARY_FOLDERS = ['/usr/sbin', '/usr/local/sbin'];

export function hasHaproxy(): boolean {
  return findBinary() !== undefined;
}

/** Starts it on two free ports of the loopback address. Resolves when it answers. */
export async function startBalancer(
  servers: readonly [string, string],
  { port, statusPort }: { readonly port: number; readonly statusPort: number },
): Promise<Balancer> {
  const binary = findBinary();
  if (binary === undefined) throw new Error(`${HAPROXY_MISSING.missing}: ${HAPROXY_MISSING.remedy}`);
  const child = spawn(binary, ['-db', '-f', CONFIG], {
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
    const answer = await fetch(`http://127.0.0.1:${statusPort}/`).catch(() => null);
    return answer === null ? null : Number(await answer.text());
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

// Helpers

function findBinary(): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...EXTRA_BINARY_FOLDERS];
  return folders.map((folder) => join(folder, 'haproxy')).find((path) => existsSync(path));
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A server in its own process. */
export interface Child {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Starts a compiled script with only `env` as its environment; resolves when it prints its URL. */
export async function startChild(script: URL, env: Readonly<Record<string, string>>): Promise<Child> {
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, [fileURLToPath(script)], {
    env: { PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // However this process ends, the child is killed.
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  const url = await urlOf(child);
  // Later output is read and dropped, so that the child never blocks on a full pipe.
  child.stdout.resume();
  return {
    url,
    pid: child.pid ?? 0,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

/** In a child: listens on a free port and prints the URL, which `startChild` reads. */
export function listenAndPrintUrl(server: Server): void {
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo;
    process.stdout.write(`${JSON.stringify({ publicUrl: `http://127.0.0.1:${port}` })}\n`);
  });
}

// Helpers

const URL_IN_LINE = /"publicUrl":"([^"]+)"/;

async function urlOf(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('the output of the child is not piped');
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const url = URL_IN_LINE.exec(line)?.[1];
    if (url !== undefined) return url;
    lines.push(line);
  }
  throw new Error(`a server did not start:\n${lines.join('\n')}`);
}

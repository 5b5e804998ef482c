import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A server in a process of its own. */
export interface Child {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Starts a compiled script with nothing in its environment but `env`; resolves when a line it prints tells its URL. */
export async function startChild(script: URL, env: Readonly<Record<string, string>>): Promise<Child> {
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, [fileURLToPath(script)], {
    env: { PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // However this process ends, what it started ends with it.
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  const url = await urlOf(child);
  // What it prints from now on is read and dropped, so that it never waits for a reader.
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

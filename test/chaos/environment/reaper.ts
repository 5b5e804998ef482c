import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { compile } from '../../support/run/compiled.ts';

/**
 * A process that outlives this one briefly. It is informed of every process, mount and folder of
 * the run, and kills and removes them when its standard input closes: at the end of the run, or
 * when the run itself was killed with SIGKILL.
 */
export interface Reaper {
  process(pid: number, signal: 'SIGKILL' | 'SIGQUIT'): void;
  /** The process has ended: its id may be reused soon. */
  ended(pid: number): void;
  mount(path: string): void;
  folder(path: string): void;
  /** The folder is kept for inspection. */
  keep(path: string): void;
  /** Kills and removes everything. */
  reap(): Promise<void>;
}

type Order =
  | { readonly do: 'process'; readonly pid: number; readonly signal: 'SIGKILL' | 'SIGQUIT' }
  | { readonly do: 'ended'; readonly pid: number }
  | { readonly do: 'mount' | 'folder' | 'keep'; readonly path: string };

export function startReaper(): Reaper {
  // Tests run from the TypeScript source, which Node 20 cannot execute.
  const program = import.meta.filename.endsWith('.ts')
    ? compile('test/chaos/environment/reaper.ts')
    : import.meta.filename;
  const child = spawn(process.execPath, [program], {
    detached: true,
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const send = (order: Order) => void child.stdin?.write(`${JSON.stringify(order)}\n`);
  return {
    process: (pid, signal) => send({ do: 'process', pid, signal }),
    ended: (pid) => send({ do: 'ended', pid }),
    mount: (path) => send({ do: 'mount', path }),
    folder: (path) => send({ do: 'folder', path }),
    keep: (path) => send({ do: 'keep', path }),
    async reap() {
      const ended = once(child, 'exit');
      child.stdin?.end();
      await ended;
    },
  };
}

// Helpers: the other process

const MOMENT_MS = 500;

async function waitForTheEnd(): Promise<void> {
  const processes = new Map<number, 'SIGKILL' | 'SIGQUIT'>();
  const mounts: string[] = [];
  const folders = new Set<string>();
  for await (const line of createInterface({ input: process.stdin })) {
    const order = JSON.parse(line) as Order;
    if (order.do === 'process') processes.set(order.pid, order.signal);
    else if (order.do === 'ended') processes.delete(order.pid);
    else if (order.do === 'mount') mounts.push(order.path);
    else if (order.do === 'folder') folders.add(order.path);
    else folders.delete(order.path);
  }
  for (const [pid, signal] of processes) signalProcess(pid, signal);
  // Postgres stops its child processes itself.
  await new Promise((resolve) => setTimeout(resolve, processes.size > 0 ? MOMENT_MS : 0));
  for (const pid of processes.keys()) signalProcess(pid, 'SIGKILL');
  for (const path of mounts) spawnSync('umount', ['-l', path]);
  for (const path of folders) rmSync(path, { recursive: true, force: true, maxRetries: 5 });
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    // A stopped process handles no signal but SIGKILL until it continues.
    process.kill(pid, 'SIGCONT');
    process.kill(pid, signal);
  } catch {
    // It has already ended, as intended.
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await waitForTheEnd();

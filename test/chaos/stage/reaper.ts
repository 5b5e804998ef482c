import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { compile } from '../../support/compiled.ts';

/**
 * A process that outlives this one by a moment. It is told of every process, mount and folder of the run, and ends and removes
 * them when its standard input ends: at the end of the run as well as when the run itself was killed with SIGKILL.
 */
export interface Reaper {
  process(pid: number, signal: 'SIGKILL' | 'SIGQUIT'): void;
  /** The process has ended: its id may belong to somebody else soon. */
  ended(pid: number): void;
  mount(path: string): void;
  folder(path: string): void;
  /** The folder stays, for somebody to look at. */
  keep(path: string): void;
  /** Ends and removes all of it. */
  reap(): Promise<void>;
}

type Order =
  | { readonly do: 'process'; readonly pid: number; readonly signal: 'SIGKILL' | 'SIGQUIT' }
  | { readonly do: 'ended'; readonly pid: number }
  | { readonly do: 'mount' | 'folder' | 'keep'; readonly path: string };

export function startReaper(): Reaper {
  // A test runs from the source, which Node 20 cannot.
  const program = import.meta.filename.endsWith('.ts') ? compile('test/chaos/stage/reaper.ts') : import.meta.filename;
  const child = spawn(process.execPath, [program], {
    detached: true,
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const tell = (order: Order) => void child.stdin?.write(`${JSON.stringify(order)}\n`);
  return {
    process: (pid, signal) => tell({ do: 'process', pid, signal }),
    ended: (pid) => tell({ do: 'ended', pid }),
    mount: (path) => tell({ do: 'mount', path }),
    folder: (path) => tell({ do: 'folder', path }),
    keep: (path) => tell({ do: 'keep', path }),
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
  // Postgres ends its children itself.
  await new Promise((resolve) => setTimeout(resolve, processes.size > 0 ? MOMENT_MS : 0));
  for (const pid of processes.keys()) signalProcess(pid, 'SIGKILL');
  for (const path of mounts) spawnSync('umount', ['-l', path]);
  for (const path of folders) rmSync(path, { recursive: true, force: true, maxRetries: 5 });
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    // One that is stopped takes nothing but SIGKILL until it goes on.
    process.kill(pid, 'SIGCONT');
    process.kill(pid, signal);
  } catch {
    // It has ended by itself, which is what is wanted.
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await waitForTheEnd();

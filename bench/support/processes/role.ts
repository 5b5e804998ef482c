import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { json } from 'node:stream/consumers';
import { Client } from 'undici';
import { startChild } from '../child.ts';
import type { ProcessReading } from './observed.ts';

/** One process of the service, as an operator starts it. */
export interface RoleProcess {
  readonly roles: string;
  readonly url: string;
  readonly pid: number;
  /** From process start to the log line that says it is running. */
  readonly readyMs: number;
  /** CPU time of the process until then, all threads together. */
  readonly readyCpuMs: number;
  /** Resource usage so far; with `collect`, after a full garbage collection. */
  read(options?: { readonly collect?: boolean }): Promise<ProcessReading>;
  /** Open files, sockets included. */
  countFiles(): Promise<number>;
  stop(): Promise<void>;
}

/** Starts the compiled service with these settings. `folder`, for its socket, must exist. */
export async function startRole(
  roles: string,
  { folder, env }: { readonly folder: string; readonly env: Readonly<Record<string, string>> },
): Promise<RoleProcess> {
  const socketPath = join(folder, `${roles.replaceAll(',', '-')}-${count()}.sock`);
  const startedAt = performance.now();
  const script = new URL('./observed.js', import.meta.url);
  const child = await startChild(script, { ...env, ROLES: roles, BENCH_PROBE_SOCKET: socketPath });
  const readyMs = performance.now() - startedAt;
  const probe = new Client('http://localhost', { socketPath });
  const read = async (path: string) => {
    const response = await probe.request({ path, method: 'GET' });
    return (await json(response.body)) as ProcessReading;
  };
  return {
    roles,
    url: child.url,
    pid: child.pid,
    readyMs,
    readyCpuMs: (await read('/')).cpuMs,
    read: ({ collect = false } = {}) => read(collect ? '/?collect' : '/'),
    countFiles: async () => (await readdir(`/proc/${child.pid}/fd`)).length,
    async stop() {
      await probe.destroy();
      await child.stop();
    },
  };
}

// Helpers

let started = 0;
function count(): number {
  started += 1;
  return started;
}

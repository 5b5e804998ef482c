import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Line } from './line.ts';
import type { Reaper } from './reaper.ts';
import type { ServiceMessage } from './service-process.ts';

/** The service's processes. A process that ends is restarted, as by a supervisor. */
export interface Fleet {
  /** Value of `performance.now()` when its processes were first started. */
  readonly startedAt: number;
  readonly members: readonly Member[];
  /** Sets how far all processes' clocks run ahead of the system clock, plus each one's skew. */
  setClock(aheadMs: number): void;
  /** Descriptions of processes that ended without being killed. */
  readonly ownEnds: readonly string[];
  /** From now on ended processes are not restarted. */
  abandon(): void;
  /**
   * Calls `abandon`, asks all processes to end, and returns descriptions of those that failed to.
   */
  stop(): Promise<string[]>;
}

export interface Member {
  readonly name: string;
  readonly role: Role;
  /** Base URL of its API; null for processes without one. */
  readonly url: string | null;
  readonly lines: { readonly postgres: Line; readonly nats: Line; readonly node: Line; readonly ethereum: Line };
  /** Whether it has reported ready since its last start. */
  isReady(): boolean;
  /** SIGKILL. It is restarted. */
  kill(): void;
  /** SIGSTOP: it exists but does nothing, like a process on a sleeping machine. */
  pause(): void;
  goOn(): void;
  /** Makes its clock deviate from the others'. */
  skew(byMs: number): void;
}

export type Role = 'api' | 'worker' | 'watcher';

export interface MemberPlan {
  readonly name: string;
  readonly role: Role;
  readonly url: string | null;
  readonly lines: Member['lines'];
  readonly env: Readonly<Record<string, string>>;
}

const RESTART_AFTER_MS = 200;
/** A process that takes longer than this to end when asked to counts as hanging. */
const STOP_WITHIN_MS = 30_000;

/** `program`: the bundle of `service-process.ts`. */
export function startFleet(deps: {
  readonly program: string;
  readonly plans: readonly MemberPlan[];
  readonly folder: string;
  readonly reaper: Reaper;
}): Fleet {
  const { program, folder, reaper } = deps;
  const ownEnds: string[] = [];
  const startedAt = performance.now();
  let aheadMs = 0;
  let isStopping = false;

  const members = deps.plans.map((plan) => {
    const log = openSync(join(folder, `${plan.name}.log`), 'a');
    let skewMs = 0;
    let child: ChildProcess | undefined;
    let killed = false;
    let ready = false;

    function start(): void {
      killed = false;
      ready = false;
      const env = { PATH: process.env.PATH ?? '', ...plan.env };
      const order = JSON.stringify({ aheadMs: aheadMs + skewMs } satisfies ServiceMessage);
      const started = spawn(process.execPath, [program, order], {
        env,
        cwd: folder,
        stdio: ['ignore', log, log, 'ipc'],
      });
      child = started;
      const { pid } = started;
      if (pid !== undefined) reaper.process(pid, 'SIGKILL');
      started.on('error', () => {});
      started.once('message', () => {
        ready = true;
      });
      started.once('exit', (code, signal) => {
        if (pid !== undefined) reaper.ended(pid);
        if (isStopping) return;
        if (!killed) ownEnds.push(`${plan.name} ended by itself (${code ?? signal}); see ${plan.name}.log`);
        setTimeout(() => isStopping || start(), RESTART_AFTER_MS).unref();
      });
    }

    start();
    return {
      name: plan.name,
      role: plan.role,
      url: plan.url,
      lines: plan.lines,
      isReady: () => ready,
      kill() {
        killed = true;
        ready = false;
        child?.kill('SIGKILL');
      },
      pause: () => void child?.kill('SIGSTOP'),
      goOn: () => void child?.kill('SIGCONT'),
      skew(byMs: number) {
        skewMs = byMs;
        tellClock();
      },
      tellClock,
      stop,
    };

    function tellClock(): void {
      if (child?.connected) child.send({ aheadMs: aheadMs + skewMs } satisfies ServiceMessage, () => {});
    }

    async function stop(): Promise<string | null> {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return null;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      const inTime = await Promise.race([ended.then(() => true), sleep(STOP_WITHIN_MS, false, { ref: false })]);
      if (!inTime) return `${plan.name} did not end within ${STOP_WITHIN_MS / 1_000} s of SIGTERM`;
      return child.exitCode === 0 ? null : `${plan.name} ended with ${child.exitCode ?? child.signalCode} on SIGTERM`;
    }
  });

  return {
    startedAt,
    members,
    ownEnds,
    setClock(ms) {
      aheadMs = ms;
      for (const member of members) member.tellClock();
    },
    abandon() {
      isStopping = true;
    },
    async stop() {
      isStopping = true;
      return (await Promise.all(members.map((member) => member.stop()))).filter((problem) => problem !== null);
    },
  };
}

import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, vi } from 'vitest';
import { ROOT } from './markdown.ts';

type Settings = Readonly<Record<string, string>>;

/** The files of this repository in an empty folder, like a fresh clone. */
export interface EmptyClone {
  readonly folder: string;
  /** The output of a script; throws with all its output when a command of it fails. */
  run(script: string, options?: { readonly env?: Settings; readonly input?: string }): string;
  /** Starts a long-running script. Resolves when it prints `until`; throws if it ends first. */
  start(script: string, until: string, env: Settings): Promise<void>;
  /** Stops what was started. */
  stop(): Promise<void>;
  remove(): Promise<void>;
}

/** Includes installing the packages on a slow disk and network. */
const START_MS = 580_000;

export function createEmptyClone(): EmptyClone {
  const folder = mkdtempSync(join(tmpdir(), 'quittance-clone-'));
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  for (const file of listed
    .trim()
    .split('\n')
    .filter((each) => existsSync(join(ROOT, each)))) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(ROOT, file), join(folder, file));
  }
  const bare = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' };
  let started: ChildProcess | undefined;

  async function stop(): Promise<void> {
    const child = started;
    started = undefined;
    if (child?.pid === undefined || child.exitCode !== null) return;
    process.kill(-child.pid, 'SIGTERM');
    await once(child, 'close');
  }

  return {
    folder,
    run(script, { env = {}, input = '' } = {}) {
      const options = { cwd: folder, env: { ...bare, ...env }, input, encoding: 'utf8' } as const;
      const { status, stdout, stderr } = spawnSync('sh', ['-ec', script], options);
      if (status !== 0) throw new Error(`${script}\nended with ${status}: ${stdout}${stderr}`);
      return stdout;
    },
    async start(script, until, env) {
      const child = spawn('sh', ['-ec', script], { cwd: folder, env: { ...bare, ...env }, detached: true });
      started = child;
      let said = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += String(chunk)));
      const hasEnded = () => child.exitCode !== null;
      await vi.waitUntil(() => said.includes(until) || hasEnded(), { timeout: START_MS });
      expect(said, 'what it said before it ended').toContain(until);
    },
    stop,
    async remove() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

import { spawnSync } from 'node:child_process';
import { findProgram } from './find-program.ts';

/** Path of the server program, or `undefined`; `TEST_NATS_SERVER` overrides it. */
export function findNatsServer(): string | undefined {
  return process.env.TEST_NATS_SERVER ?? findProgram('nats-server');
}

/** Whether the program supports `sync_interval: always`, as NATS 2.10 and newer do. */
export function canNatsSyncEachMessage(): boolean {
  const { stdout } = spawnSync(findNatsServer() ?? 'nats-server', ['--version'], { encoding: 'utf8' });
  const [major = 0, minor = 0] = (/v(\d+)\.(\d+)/.exec(stdout) ?? []).slice(1).map(Number);
  return major > 2 || (major === 2 && minor >= 10);
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { findProgram } from '../../support/find-program.ts';
import { findFreePort } from '../../support/free-port.ts';
import { hasJetStream } from '../../support/nats.ts';
import type { Reaper } from './reaper.ts';
import type { SmallDisk } from './small-disk.ts';

/** A NATS server of the run's own, with JetStream on a disk that can be full. */
export interface OwnNats {
  readonly port: number;
  start(): Promise<void>;
  /** Ends it with SIGKILL if it runs; what it stored stays. */
  crash(): Promise<void>;
  /** Messages that are stored and not settled. */
  waiting(): Promise<number>;
}

const START_TIMEOUT_MS = 30_000;
const POLL_MS = 20;

export async function createOwnNats(deps: {
  readonly disk: SmallDisk;
  readonly logFile: string;
  readonly reaper: Reaper;
}): Promise<OwnNats> {
  const binary = findProgram('nats-server');
  if (binary === undefined) throw new Error('There is no nats-server: apt-get install nats-server');
  const port = await findFreePort();
  const log = openSync(deps.logFile, 'a');
  const args = ['-a', '127.0.0.1', '-p', String(port), '-js', '-sd', join(deps.disk.folder, 'store')];
  let child: ChildProcess | undefined;

  async function start(): Promise<void> {
    child = spawn(binary as string, args, { stdio: ['ignore', log, log] });
    const { pid } = child;
    if (pid !== undefined) {
      deps.reaper.process(pid, 'SIGKILL');
      child.once('exit', () => deps.reaper.ended(pid));
    }
    const giveUpAt = performance.now() + START_TIMEOUT_MS;
    while (!(await hasJetStream(port))) {
      if (performance.now() > giveUpAt) throw new Error(`nats-server does not start, see ${deps.logFile}`);
      await sleep(POLL_MS);
    }
  }

  await start();
  return {
    port,
    start,
    async crash() {
      const ending = child;
      if (ending === undefined || ending.exitCode !== null || ending.signalCode !== null) return;
      ending.kill('SIGKILL');
      await once(ending, 'exit');
    },
    async waiting() {
      const connection = await connect({ servers: `127.0.0.1:${port}` });
      try {
        const manager = await jetstreamManager(connection);
        let messages = 0;
        for await (const { state } of manager.streams.list()) messages += state.messages;
        return messages;
      } finally {
        await connection.close();
      }
    },
  };
}

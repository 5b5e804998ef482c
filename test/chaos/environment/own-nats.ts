import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { findFreePort } from '../../support/free-port.ts';
import { findNatsServer } from '../../support/run/nats-version.ts';
import { hasJetStream } from '../../support/service/nats.ts';
import type { Reaper } from './reaper.ts';

/** A NATS server that belongs to the run, with JetStream on a disk that can be full. */
export interface OwnNats {
  readonly port: number;
  /** Whether each message is on disk before it is acknowledged. */
  readonly isSynced: boolean;
  start(): Promise<void>;
  /** Kills a running server with SIGKILL; stored data stays. */
  crash(): Promise<void>;
  /** Number of messages that are stored but not yet settled. */
  waiting(): Promise<number>;
}

const START_TIMEOUT_MS = 30_000;
const POLL_MS = 20;

export async function createOwnNats(deps: {
  readonly disk: { readonly folder: string };
  readonly logFile: string;
  readonly reaper: Reaper;
  /** Each message is on disk before it is acknowledged; needs NATS 2.10. */
  readonly isSynced?: boolean;
}): Promise<OwnNats> {
  const binary = findNatsServer();
  if (binary === undefined) throw new Error('There is no nats-server: apt-get install nats-server');
  const port = await findFreePort();
  const log = openSync(deps.logFile, 'a');
  const configuration = `${deps.logFile}.conf`;
  const isSynced = deps.isSynced === true;
  const syncing = isSynced ? ', sync_interval: always' : '';
  writeFileSync(configuration, `jetstream { store_dir: "${join(deps.disk.folder, 'store')}"${syncing} }\n`);
  const args = ['-a', '127.0.0.1', '-p', String(port), '-c', configuration];
  let child: ChildProcess | undefined;

  async function start(): Promise<void> {
    child = spawn(binary as string, args, { stdio: ['ignore', log, log], cwd: deps.disk.folder });
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
    isSynced,
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

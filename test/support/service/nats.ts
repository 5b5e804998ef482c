import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect as connectTcp } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { findFreePort } from '../free-port.ts';
import { requireComponent } from '../run/components.ts';
import { findNatsServer } from '../run/nats-version.ts';

/** A NATS server with JetStream and a stream name that no other test uses. */
export interface TestNats {
  readonly url: string;
  readonly prefix: string;
  /** Deletes the stream of `prefix`. */
  cleanUp(): Promise<void>;
}

/** A NATS server for one test, with its data in a temporary directory. */
export interface OwnNatsServer {
  readonly url: string;
  /** Starts or restarts it. Resolves when it responds. */
  start(): Promise<void>;
  /** Kills it with SIGKILL, as a crash would. Its data stays. */
  kill(): Promise<void>;
  /** Shuts it down cleanly: everything is then on disk. */
  stop(): Promise<void>;
  /** The folder of a stream's messages; consumers are stored elsewhere. */
  messagesFolder(stream: string): string;
  /** Deletes its data. Only while it is stopped. */
  wipe(): Promise<void>;
  /** Stops it and deletes its data. */
  remove(): Promise<void>;
}

/** The default port of NATS. */
export const USUAL_PORT = 4222;

const PROBE_TIMEOUT_MS = 1_000;
const START_TIMEOUT_MS = 20_000;
const DELETE_TIMEOUT_MS = 30_000;
const POLL_INTERVAL_MS = 10;

/** A unique stream name on the run's NATS server (`provideServers`). */
export function provideNats(): TestNats {
  const prefix = uniquePrefix();
  const url = process.env.TEST_NATS_URL ?? `nats://127.0.0.1:${USUAL_PORT}`;
  return { url, prefix, cleanUp: () => deleteStream(url, prefix) };
}

/** A stream name that only this test run uses. */
export function uniquePrefix(): string {
  return `test-${process.pid}-${randomBytes(4).toString('hex')}`;
}

/**
 * Prepares a server on a free port without starting it. `configuration` is the text of its
 * configuration file, empty by default.
 */
export async function createNatsServer({
  hasJetStream: wantsJetStream = true,
  configuration = '',
}: {
  readonly hasJetStream?: boolean;
  readonly configuration?: string;
} = {}): Promise<OwnNatsServer> {
  requireComponent('natsServer');
  const binary = findNatsServer() ?? '';
  const port = await findFreePort();
  const folder = await mkdtemp(join(tmpdir(), 'quittance-nats-'));
  let child: ReturnType<typeof spawn> | undefined;
  const killNow = () => void child?.kill('SIGKILL');

  async function end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const ending = child;
    child = undefined;
    process.off('exit', killNow);
    if (ending === undefined || ending.exitCode !== null || ending.signalCode !== null) return;
    ending.kill(signal);
    await once(ending, 'exit');
  }

  return {
    url: `nats://127.0.0.1:${port}`,
    async start() {
      const file = join(folder, 'nats.conf');
      await writeFile(file, configuration);
      const storage = wantsJetStream ? ['-js', '-sd', folder] : [];
      const args = ['-c', file, '-a', '127.0.0.1', '-p', String(port), ...storage];
      // It writes files of a consumer that is just being deleted into its working directory.
      child = spawn(binary, args, { stdio: 'ignore', cwd: folder });
      process.on('exit', killNow);
      const giveUpAt = Date.now() + START_TIMEOUT_MS;
      while (!(await (wantsJetStream ? hasJetStream(port) : greets(port)))) {
        if (Date.now() > giveUpAt) throw new Error(`nats-server did not answer on port ${port}`);
        await sleep(POLL_INTERVAL_MS);
      }
    },
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    messagesFolder: (stream) => join(folder, 'jetstream', '$G', 'streams', stream, 'msgs'),
    wipe: () => rm(join(folder, 'jetstream'), { recursive: true, force: true }),
    async remove() {
      await end('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Deletes a stream and those that replaced it, as an operator might. Ignores a missing stream.
 */
export async function deleteStream(url: string, prefix: string): Promise<void> {
  const connection = await connect({ servers: url.replace('nats://', '') });
  try {
    // A busy disk takes seconds to delete the files of a stream.
    const manager = await jetstreamManager(connection, { timeout: DELETE_TIMEOUT_MS });
    for await (const name of manager.streams.names()) {
      if (name === prefix || name.startsWith(`${prefix}-`)) await manager.streams.delete(name);
    }
  } finally {
    await connection.close();
  }
}

/** NATS sends one INFO line of JSON on every connection; it says whether JetStream is enabled. */
export async function hasJetStream(port: number): Promise<boolean> {
  return /"jetstream":\s*true/.test(await greetingAt(port));
}

async function greets(port: number): Promise<boolean> {
  return (await greetingAt(port)) !== '';
}

/** The INFO line; empty when no server responds. */
async function greetingAt(port: number): Promise<string> {
  const socket = connectTcp({ host: '127.0.0.1', port });
  try {
    const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS);
    const [greeting] = await once(socket, 'data', { signal });
    return String(greeting);
  } catch {
    return '';
  } finally {
    socket.destroy();
  }
}

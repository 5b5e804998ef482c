import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect as connectTcp } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { findFreePort } from './free-port.ts';

/** A NATS server with JetStream and a stream name nobody else uses. */
export interface TestNats {
  readonly url: string;
  readonly prefix: string;
  /** Deletes the stream of `prefix`, and stops the server if this test started it. */
  cleanUp(): Promise<void>;
}

/** A NATS server of one test's own, with its data in a temporary directory. */
export interface OwnNatsServer {
  readonly url: string;
  /** Starts it, again or for the first time. Resolves when it answers. */
  start(): Promise<void>;
  /** Ends it as a crash would (SIGKILL). Its data stays. */
  kill(): Promise<void>;
  /** Ends it in order: everything it knows is on disk then. */
  stop(): Promise<void>;
  /** Where it keeps the messages of a stream; its consumers are kept elsewhere. */
  messagesFolder(stream: string): string;
  /** Deletes its data. Only while it does not run. */
  wipe(): Promise<void>;
  /** Ends it and deletes its data. */
  remove(): Promise<void>;
}

/** For `requireOrSkip`, when `provideNats` answers `undefined`. */
export const NATS_MISSING = { missing: 'there is no nats-server', remedy: 'apt-get install nats-server' } as const;

/** Where a NATS server usually is; used when it runs there. */
const USUAL_PORT = 4222;

/** Debian installs servers in /usr/sbin, which not every PATH contains. */
const EXTRA_BINARY_FOLDERS = ['/usr/sbin', '/usr/local/bin'];

const PROBE_TIMEOUT_MS = 1_000;
const START_TIMEOUT_MS = 20_000;
const POLL_INTERVAL_MS = 10;

/** The server at 127.0.0.1:4222 if it runs with JetStream, else one started for this test, else `undefined`. */
export async function provideNats(): Promise<TestNats | undefined> {
  const prefix = uniquePrefix();
  if (await hasJetStream(USUAL_PORT)) {
    const url = `nats://127.0.0.1:${USUAL_PORT}`;
    return { url, prefix, cleanUp: () => deleteStream(url, prefix) };
  }
  if (!hasNatsServer()) return undefined;
  const server = await createNatsServer();
  await server.start();
  return { url: server.url, prefix, cleanUp: () => server.remove() };
}

/** A stream name of this test run alone. */
export function uniquePrefix(): string {
  return `test-${process.pid}-${randomBytes(4).toString('hex')}`;
}

/** Whether `createNatsServer` can work here. */
export function hasNatsServer(): boolean {
  return findNatsServer() !== undefined;
}

/** Prepares a server on a free port; it does not run yet. `configuration` is text for its file, which is empty when left out. */
export async function createNatsServer({
  hasJetStream: wantsJetStream = true,
  configuration = '',
}: {
  readonly hasJetStream?: boolean;
  readonly configuration?: string;
} = {}): Promise<OwnNatsServer> {
  const binary = findNatsServer();
  if (binary === undefined) throw new Error(`${NATS_MISSING.missing}: ${NATS_MISSING.remedy}`);
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
      child = spawn(binary, args, { stdio: 'ignore' });
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

/** Deletes a stream, or the one it was made anew as, as an operator might behind our back. A stream that is not there is fine. */
export async function deleteStream(url: string, prefix: string): Promise<void> {
  const connection = await connect({ servers: url.replace('nats://', '') });
  try {
    const manager = await jetstreamManager(connection);
    for await (const name of manager.streams.names()) {
      if (name === prefix || name.startsWith(`${prefix}-`)) await manager.streams.delete(name);
    }
  } finally {
    await connection.close();
  }
}

/** Where the server's program is; `undefined` when it is not installed. */
export function findNatsServer(): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...EXTRA_BINARY_FOLDERS];
  return folders.map((folder) => join(folder, 'nats-server')).find((path) => existsSync(path));
}

/** NATS greets every connection with one INFO line of JSON, which says whether JetStream is on. */
export async function hasJetStream(port: number): Promise<boolean> {
  return /"jetstream":\s*true/.test(await greetingAt(port));
}

async function greets(port: number): Promise<boolean> {
  return (await greetingAt(port)) !== '';
}

/** Empty when nothing answers. */
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

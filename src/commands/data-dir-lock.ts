import { createHash } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TerminalError } from '../errors.ts';

/** Held until released, or until the process is gone, however it ended. */
export interface DataDirLock {
  release(): Promise<void>;
}

const SOCKET_NAME = 'in-use.sock';
/** Longest path of a Unix socket on any system we run on; Linux allows 107 bytes, macOS 103. */
const MAX_SOCKET_PATH_BYTES = 103;

/**
 * Keeps a data folder to one process: the embedded database does not notice a second one, and both would write over each
 * other. The lock is a Unix socket that is listened on, so it ends with its process, and a number that another process got
 * later cannot be mistaken for it. Throws a `TerminalError` `DATA_DIR_IN_USE`.
 *
 * What a killed process left is removed. Two that do this in the same millisecond could both go on.
 */
export async function lockDataDir(dataDir: string): Promise<DataDirLock> {
  await mkdir(dataDir, { recursive: true });
  const path = socketPath(dataDir);
  const server = (await listen(path)) ?? (await listenAfterCrash(path));
  if (server === null) {
    throw new TerminalError(
      'DATA_DIR_IN_USE',
      `Another process uses the database in ${dataDir}. Stop it first, or give this one another DATA_DIR; ` +
        'with DATABASE_URL, any number of processes can share a PostgreSQL database.',
    );
  }
  return { release: () => new Promise((resolve) => server.close(() => resolve())) };
}

// Helpers

function socketPath(dataDir: string): string {
  const path = join(dataDir, SOCKET_NAME);
  if (Buffer.byteLength(path) <= MAX_SOCKET_PATH_BYTES) return path;
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 32);
  return join(tmpdir(), `quittance-${name}.sock`);
}

async function listenAfterCrash(path: string): Promise<Server | null> {
  if (await isAnswered(path)) return null;
  await rm(path, { force: true });
  return listen(path);
}

/** Null when there is such a socket already. */
function listen(path: string): Promise<Server | null> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(null);
      else reject(error);
    });
    // A lock alone is no reason to keep running.
    server.listen(path, () => resolve(server.unref()));
  });
}

function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(path);
    probe.once('connect', () => resolve(true));
    probe.once('error', () => resolve(false));
    probe.once('close', () => probe.destroy());
  });
}

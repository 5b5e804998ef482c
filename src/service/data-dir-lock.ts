import { createHash } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TerminalError } from '../platform/errors.ts';

/** Held until released or until the process ends, for any reason. */
export interface DataDirLock {
  release(): Promise<void>;
}

const SOCKET_NAME = 'in-use.sock';
/** Longest path of a Unix socket on the supported systems: Linux allows 107 bytes, macOS 103. */
const MAX_SOCKET_PATH_BYTES = 103;

/**
 * Locks a data folder for one process: the embedded database does not detect a second one, and both
 * would overwrite each other's data. The lock is a listening Unix socket, so it ends with its
 * process, and unlike a PID file it cannot be confused by a reused process id. Throws a
 * `TerminalError` `DATA_DIR_IN_USE`.
 *
 * Removes the socket that a killed process left. Two processes that do so in the same millisecond
 * could both succeed.
 */
export async function lockDataDir(dataDir: string): Promise<DataDirLock> {
  await mkdir(dataDir, { recursive: true });
  const path = socketPath(dataDir);
  const server = (await listen(path)) ?? (await listenAfterCrash(path));
  if (server === null) {
    throw new TerminalError(
      'DATA_DIR_IN_USE',
      `Another process uses the database in ${dataDir}. Stop it first, or set another DATA_DIR; ` +
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
  if (await hasResponse(path)) return null;
  await rm(path, { force: true });
  return listen(path);
}

/** Null when the socket exists already. */
function listen(path: string): Promise<Server | null> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(null);
      else reject(error);
    });
    // The lock must not keep the process running.
    server.listen(path, () => resolve(server.unref()));
  });
}

function hasResponse(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(path);
    probe.once('connect', () => resolve(true));
    probe.once('error', () => resolve(false));
    probe.once('close', () => probe.destroy());
  });
}

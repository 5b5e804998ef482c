import type { Config } from '../platform/config/index.ts';
import { type Connection, connect } from '../platform/db/index.ts';
import { lockDataDir } from './data-dir-lock.ts';

/**
 * Opens the configured database. The embedded one is locked for this process until it is closed;
 * throws a `TerminalError` `DATA_DIR_IN_USE` when another process has it open.
 */
export async function openDatabase(
  { dataDir, database }: Pick<Config, 'dataDir' | 'database'>,
  onConnectionError: (error: Error) => void = () => {},
): Promise<Connection> {
  const { url, poolSize, pooler } = database;
  const lock = url === null ? await lockDataDir(dataDir) : null;
  try {
    const connection = await connect({ url, dataDir, poolSize, pooler, onConnectionError });
    return {
      ...connection,
      async close() {
        await connection.close();
        await lock?.release();
      },
    };
  } catch (error) {
    await lock?.release();
    throw error;
  }
}

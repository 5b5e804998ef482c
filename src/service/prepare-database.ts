import { setTimeout as sleep } from 'node:timers/promises';
import { attachTestWallets } from '../merchants/index.ts';
import type { Config } from '../platform/config/index.ts';
import { type Connection, classifyDatabaseError } from '../platform/db/index.ts';
import { messageOf } from '../platform/errors.ts';
import type { Log } from '../platform/log.ts';
import { migrateSchema, rejectPooler } from './migrate-schema.ts';

export interface Preparation {
  readonly config: Pick<Config, 'database'>;
  readonly connection: Connection;
  readonly log: Log;
  readonly signal: AbortSignal;
}

const RETRY_EVERY_MS = 1_000;

/**
 * Ensures that the schema is that of this version and that test wallets exist. Waits for an
 * unreachable database until `signal` is aborted; throws any other error.
 */
export async function prepareDatabase({ config, connection: { db }, log, signal }: Preparation): Promise<void> {
  const onWait = (reason: string) => log.warn({ reason }, 'waiting to migrate the database schema');
  for (let failures = 0; ; failures += 1) {
    try {
      await rejectPooler(config.database);
      const applied = await migrateSchema(config, db, { onWait });
      if (applied.length > 0) log.info({ applied }, 'the database schema was migrated');
      await attachTestWallets(db);
      return;
    } catch (error) {
      const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
      if (classifyDatabaseError(cause) !== 'unavailable') throw error;
      if (failures === 0) {
        log.error({ reason: messageOf(cause) }, 'the database is unreachable; waiting for it (check DATABASE_URL)');
      }
      await sleep(RETRY_EVERY_MS, undefined, { signal });
    }
  }
}

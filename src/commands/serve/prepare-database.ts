import { setTimeout as sleep } from 'node:timers/promises';
import { type Connection, classifyDatabaseError, migrate } from '../../db/index.ts';
import { messageOf } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { attachTestWallets } from '../../merchants/index.ts';

const RETRY_EVERY_MS = 1_000;

/**
 * Brings the schema up to date and makes sure that test wallets exist. Waits for a database that cannot be reached, for as
 * long as `signal` allows; anything else that goes wrong is thrown.
 */
export async function prepareDatabase({ db }: Connection, log: Log, signal: AbortSignal): Promise<void> {
  for (let failures = 0; ; failures += 1) {
    try {
      const applied = await migrate(db);
      if (applied.length > 0) log.info({ applied }, 'the database schema was brought up to date');
      await attachTestWallets(db);
      return;
    } catch (error) {
      const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
      if (classifyDatabaseError(cause) !== 'unavailable') throw error;
      if (failures === 0) {
        log.error({ reason: messageOf(cause) }, 'the database cannot be reached; waiting for it (check DATABASE_URL)');
      }
      await sleep(RETRY_EVERY_MS, undefined, { signal });
    }
  }
}

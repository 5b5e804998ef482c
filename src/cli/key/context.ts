import type { Kysely } from 'kysely';
import { type AuditedChange, changeAs, requireMerchantNamed } from '../../merchants/index.ts';
import { systemClock } from '../../platform/clock.ts';
import { loadConfig } from '../../platform/config/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { commandAuthor } from '../author.ts';
import { withDatabase } from '../with-database.ts';

export interface MerchantOfCommand {
  readonly id: string;
  readonly plan: string;
}

/**
 * Finds the merchant a command names and runs `work` with it. Throws a `TerminalError`
 * `MERCHANT_NOT_FOUND`.
 */
export async function withMerchant<T>(
  name: string,
  work: (db: Kysely<Database>, merchant: MerchantOfCommand) => Promise<T>,
): Promise<T> {
  return withDatabase(loadConfig(process.env), async (db) => {
    return work(db, await requireMerchantNamed(db, name));
  });
}

/** Runs changes in one transaction, with the account that runs the command as their author. */
export async function changing<T>(db: Kysely<Database>, work: (change: AuditedChange) => Promise<T>): Promise<T> {
  return changeAs({ db, clock: systemClock }, commandAuthor().who, work);
}

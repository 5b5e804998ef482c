import type { Kysely } from 'kysely';
import { loadConfig } from '../../config/index.ts';
import type { Database } from '../../db/index.ts';
import { TerminalError } from '../../errors.ts';
import type { Change } from '../../merchants/index.ts';
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
    const merchant = await db.selectFrom('merchant').select(['id', 'plan']).where('name', '=', name).executeTakeFirst();
    if (merchant !== undefined) return work(db, merchant);
    throw new TerminalError('MERCHANT_NOT_FOUND', `There is no merchant "${name}"; names are those of provisioning`);
  });
}

/** Changes keys in one transaction. The audit log names the account that runs the command. */
export async function changing<T>(db: Kysely<Database>, work: (change: Change) => Promise<T>): Promise<T> {
  return db.transaction().execute((trx) => work({ ...commandAuthor(), trx }));
}

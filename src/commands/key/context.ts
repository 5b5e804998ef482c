import { userInfo } from 'node:os';
import type { Kysely, Transaction } from 'kysely';
import { systemClock } from '../../clock.ts';
import { loadConfig } from '../../config/index.ts';
import type { Database } from '../../db/index.ts';
import { TerminalError } from '../../errors.ts';
import type { Change } from '../../merchants/index.ts';
import { withDatabase } from '../with-database.ts';

export interface MerchantOfCommand {
  readonly id: string;
  readonly plan: string;
}

/** Finds the merchant a command names and works for them. Throws a `TerminalError` `MERCHANT_NOT_FOUND`. */
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

/** Changes keys in one transaction, in the name of whoever runs the command. */
export async function changing<T>(db: Kysely<Database>, work: (change: Change) => Promise<T>): Promise<T> {
  return db.transaction().execute((trx) => work(changeBy(trx)));
}

// Helpers

function changeBy(trx: Transaction<Database>): Change {
  return { trx, who: `command line, ${accountName()}`, now: systemClock.now() };
}

/** An account without a name, as in some containers, has a number. */
function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    return `account ${process.getuid?.() ?? 'unknown'}`;
  }
}

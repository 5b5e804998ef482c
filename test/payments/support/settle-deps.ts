import type { Kysely } from 'kysely';
import type { SettleDeps } from '../../../src/payments/index.ts';
import type { Database } from '../../../src/platform/db/index.ts';

/** What `settleAttention` needs, as a user of the merchant. */
export function settleDeps(db: Kysely<Database>, engine: SettleDeps['engine'], now: number): SettleDeps {
  return { engine, change: (work) => db.transaction().execute((trx) => work({ trx, who: 'user usr_1', now })) };
}

import { sql } from 'kysely';
import { type IssuedKeys, issueKeys, upsertMerchant } from '../../src/merchants/index.ts';
import type { BenchDatabase } from './database.ts';

/** A merchant on an unrestricted plan, with keys. Raises the request limits of all plans. */
export async function addMerchant({ db }: BenchDatabase): Promise<{ merchantId: string; keys: IssuedKeys }> {
  return db.transaction().execute(async (trx) => {
    const { id: merchantId } = await upsertMerchant(trx, {
      name: 'bench',
      email: 'bench@example.com',
      plan: 'enterprise',
      settings: {},
    });
    // Requests are counted as usual, with limits too high to reach.
    await sql`update plan set api_rate_limit_per_minute = 1000000000, api_rate_limit_per_hour = 1000000000`.execute(
      trx,
    );
    return { merchantId, keys: await issueKeys(trx, merchantId, Date.now()) };
  });
}

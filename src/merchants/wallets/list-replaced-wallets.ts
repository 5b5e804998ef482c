import { type Kysely, sql } from 'kysely';
import { DAY_MS, type UnixMs } from '../../../machines/index.ts';
import { type Database, whileDatabaseAnswers } from '../../db/index.ts';

/** A wallet replacement. */
export interface ReplacedWallet {
  readonly at: UnixMs;
  readonly network: string;
  readonly cryptos: readonly string[];
  /** E-mail of the user who did it; null for a program or a deleted login. */
  readonly by: string | null;
}

/** How long a replacement is shown. */
const ANNOUNCED_MS = 7 * DAY_MS;
/** Replacements shown at most; further ones are in the audit log. */
const MAX_ANNOUNCED = 5;

/** Wallets of a merchant that were replaced in the last 7 days, newest first. */
export function listReplacedWallets(
  db: Kysely<Database>,
  { merchantId, now }: { readonly merchantId: string; readonly now: UnixMs },
): Promise<readonly ReplacedWallet[]> {
  return whileDatabaseAnswers(async () => {
    const { rows } = await sql<ReplacedWallet>`
      select occurred_at as at, details->>'network' as network, details->'cryptos' as cryptos, merchant_user.email as by
      from audit_entry
      left join merchant_user
        on who = 'user ' || merchant_user.id and merchant_user.merchant_id = audit_entry.merchant_id
      where audit_entry.merchant_id = ${merchantId} and what = 'wallet.replaced'
        and occurred_at > ${new Date(now - ANNOUNCED_MS)}
      order by occurred_at desc, audit_entry.id desc limit ${MAX_ANNOUNCED}`.execute(db);
    return rows;
  });
}

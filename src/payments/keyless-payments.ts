import { sql, type Transaction } from 'kysely';
import { MINUTE_MS } from '../../machines/index.ts';
import { type Database, whileDatabaseAnswers } from '../db/index.ts';
import type { StartDraft } from '../engine/index.ts';
import { RetryableError } from '../errors.ts';
import type { TransactionAttachment } from './attachment.ts';
import type { ReadDeps } from './get-transaction.ts';
import { lockUntilCommit } from './lock-until-commit.ts';

/**
 * Payments that anyone opens with a publishable key, which shop pages show. Each takes an address
 * and is watched, so a key has a bounded number of them open and unpaid.
 */

/** Who opens a payment without a secret key. */
export interface KeylessOpener {
  /** Of the publishable key. */
  readonly keyId: string;
  /** `ClientHash` of the browser's cookie. */
  readonly shopperHash: string;
  /** Open and unpaid payments the key may have. */
  readonly maxOpen: number;
}

/** Refuses a start because of payments that others have open. */
export function tooManyOpenPayments(what: string): RetryableError {
  return new RetryableError('TOO_MANY_OPEN_PAYMENTS', `${what}. Try again later.`, { retryAfterMs: MINUTE_MS });
}

/** Whether the browser opened that payment, which is still open or under way. */
export async function wasOpenedBy({ db }: Pick<ReadDeps, 'db'>, id: string, shopperHash: string): Promise<boolean> {
  const { rows } = await whileDatabaseAnswers(() =>
    sql`select 1 from transaction where id = ${id} and shopper_hash = ${shopperHash}`.execute(db),
  );
  return rows.length > 0;
}

/**
 * Keyless starts of a batch beyond what their key may have open. Keys are locked until the batch
 * commits.
 */
export async function findStartsBeyondKeys(
  trx: Transaction<Database>,
  drafts: readonly StartDraft[],
): Promise<ReadonlyMap<StartDraft, RetryableError>> {
  const asking = drafts.flatMap((draft) => {
    const { opener } = draft.attachment as TransactionAttachment;
    return opener === undefined ? [] : [{ draft, ...opener }];
  });
  if (asking.length === 0) return new Map();
  const keys = [...new Set(asking.map(({ keyId }) => keyId))];
  await lockUntilCommit(trx, 'keyless payments', keys);
  const { rows } = await sql<{ opened_by_key: string; open: number }>`
    select opened_by_key, count(*)::int4 as open from transaction
    where opened_by_key = any(${keys}::text[]) and status = 'pending' and paid_base_units = 0
    group by opened_by_key`.execute(trx);
  const openOf = new Map(rows.map((row) => [row.opened_by_key, row.open]));
  const refused = new Map<StartDraft, RetryableError>();
  for (const { draft, keyId, maxOpen } of asking) {
    const open = openOf.get(keyId) ?? 0;
    if (open >= maxOpen) refused.set(draft, beyondKey(maxOpen));
    else openOf.set(keyId, open + 1);
  }
  return refused;
}

// Helpers

function beyondKey(maxOpen: number): RetryableError {
  return tooManyOpenPayments(
    `This publishable key has ${maxOpen} payments open with nothing paid; the service allows no more (PAY_MAX_OPEN)`,
  );
}

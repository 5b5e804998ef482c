import { sql, type Transaction } from 'kysely';
import { MINUTE_MS } from '../../../machines/index.ts';
import { type Database, lockUntilCommit } from '../../platform/db/index.ts';
import type { StartDraft } from '../../platform/engine/index.ts';
import { RetryableError } from '../../platform/errors.ts';
import type { TransactionAttachment } from '../projection/attachment.ts';
import type { ReadDeps } from '../view/get-transaction.ts';

/**
 * Payments opened with a publishable key, which is public on shop pages. Each uses an address and
 * is watched, so the number of open, unpaid ones per key is limited. Clients of one subnet get a
 * share of that number, so that a single client cannot block the shop for all others.
 */

/** Who opens a payment without a secret key. */
export interface KeylessCaller {
  readonly keyId: string;
  /** `ClientHash` of the browser's cookie. */
  readonly customerHash: string;
  /** `ClientHash` of the client's subnet, see `networkOf`. */
  readonly subnetHash: string;
  /** Open, unpaid payments that the key may have. */
  readonly maxOpen: number;
  /** How many of them one subnet may have. */
  readonly maxOpenPerClient: number;
}

/** `field` of a refusal caused by the client's subnet. */
const CLIENT_ADDRESS = 'client_address';

export function tooManyOpenPayments(what: string, field?: typeof CLIENT_ADDRESS): RetryableError {
  return new RetryableError('TOO_MANY_OPEN_PAYMENTS', `${what}. Try again later.`, { retryAfterMs: MINUTE_MS, field });
}

/** Whether this browser opened that payment, which is still open or in progress. */
export async function wasOpenedBy({ db }: Pick<ReadDeps, 'db'>, id: string, customerHash: string): Promise<boolean> {
  const { rows } =
    await sql`select 1 from transaction_status where id = ${id} and customer_hash = ${customerHash}`.execute(db);
  return rows.length > 0;
}

/**
 * Keyless starts of a batch that exceed the limit of their key, or of their subnet with that key.
 * Keys are locked until the batch commits.
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
  await lockUntilCommit(
    trx,
    keys.map((each) => `keyless payments of ${each}`),
  );
  const open = await countOpen(trx, keys, [...new Set(asking.map(({ subnetHash }) => subnetHash))]);
  const rejected = new Map<StartDraft, RetryableError>();
  for (const { draft, keyId, subnetHash, maxOpen, maxOpenPerClient } of asking) {
    const [ofKey, ofClient] = [countName(keyId), countName(keyId, subnetHash)];
    if (open.of(ofKey) >= maxOpen) rejected.set(draft, beyondKey(maxOpen));
    else if (open.of(ofClient) >= maxOpenPerClient) rejected.set(draft, beyondShare(maxOpenPerClient));
    else for (const name of [ofKey, ofClient]) open.add(name, 1);
  }
  return rejected;
}

// Helpers

/** Number of open, unpaid payments per key, and per specified subnet with each key. */
async function countOpen(
  trx: Transaction<Database>,
  keys: readonly string[],
  subnets: readonly string[],
): Promise<Counts> {
  const { rows } = await sql<{ opened_by_key: string; subnet: string | null; open: number }>`
    select opened_by_key, case when client_subnet_hash = any(${subnets}::text[]) then client_subnet_hash end as subnet,
      count(*)::int4 as open
    from transaction_status
    where opened_by_key = any(${keys}::text[]) and status = 'pending' and paid_base_units = 0
    group by 1, 2`.execute(trx);
  const counts = createCounts();
  for (const { opened_by_key: keyId, subnet, open } of rows) {
    counts.add(countName(keyId), open);
    if (subnet !== null) counts.add(countName(keyId, subnet), open);
  }
  return counts;
}

interface Counts {
  of(name: string): number;
  add(name: string, number: number): void;
}

function createCounts(): Counts {
  const counts = new Map<string, number>();
  const of = (name: string) => counts.get(name) ?? 0;
  return { of, add: (name, number) => void counts.set(name, of(name) + number) };
}

function countName(keyId: string, subnetHash: string | null = null): string {
  return JSON.stringify([keyId, subnetHash]);
}

function beyondShare(maxOpen: number): RetryableError {
  return tooManyOpenPayments(
    `This client (its IP address or IPv6 subnet) has ${maxOpen} open, unpaid payments for this publishable key or payment link, the limit set by PAY_MAX_OPEN_PER_CLIENT`,
    CLIENT_ADDRESS,
  );
}

function beyondKey(maxOpen: number): RetryableError {
  return tooManyOpenPayments(
    `This publishable key or payment link has ${maxOpen} open, unpaid payments, the limit set by PAY_MAX_OPEN`,
  );
}

import { type Kysely, sql } from 'kysely';
import type { Database } from '../../../src/platform/db/index.ts';
import type { Merchant } from '../environment/merchant.ts';
import type { MerchantClient } from '../workload/merchant-client.ts';
import type { ChaosPayment } from '../workload/payment.ts';
import { type Finding, finding } from './violation.ts';

/**
 * Checks the tables: addresses, idempotency keys, monthly counts, dead letters and stuck timers.
 */
export async function checkRecords(deps: {
  readonly db: Kysely<Database>;
  readonly payments: readonly ChaosPayment[];
  readonly client: MerchantClient;
  readonly merchant: Merchant;
}): Promise<Finding[]> {
  const { db, payments, client } = deps;
  return [
    await checkAddresses(deps),
    await checkKeys(db, payments, client),
    await checkMonths(db),
    await rowsAreNone(db, 'no dead letter', sql`select queue || ' ' || reason as problem from dead_letter`),
    await rowsAreNone(
      db,
      'no timer is parked or overdue',
      sql`select actor_id || ' ' || name as problem from timer where name <> 'monitoring_ended' or leased_until = 'infinity'`,
    ),
    await rowsAreNone(
      db,
      'no coins are unassigned',
      sql`select output_id || ' ' || reason as problem from unassigned_payment`,
    ),
    await rowsAreNone(
      db,
      'no webhook was given up',
      sql`select id || ' of ' || webhook_event_id as problem from webhook_delivery where state <> 'delivered'`,
    ),
  ];
}

export async function readEventIds(db: Kysely<Database>): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom('webhook_event').select('id').execute();
  return new Set(rows.map(({ id }) => id));
}

// Helpers

type Problems = ReturnType<typeof sql>;

async function rowsAreNone(db: Kysely<Database>, check: string, problems: Problems): Promise<Finding> {
  const { rows } = await problems.execute(db);
  return finding(
    check,
    rows.length,
    rows.map((row) => String((row as { readonly problem: string }).problem)),
  );
}

/** No address is assigned twice; each live one matches the merchant's wallet at its index. */
async function checkAddresses(deps: {
  readonly db: Kysely<Database>;
  readonly payments: readonly ChaosPayment[];
  readonly merchant: Merchant;
}): Promise<Finding> {
  const { db, payments, merchant } = deps;
  const owners = new Map<string, string>();
  const problems: string[] = [];
  for (const { address, id } of payments) {
    const other = owners.get(address);
    if (other !== undefined && other !== id) problems.push(`${address} was given to ${other} and to ${id}`);
    owners.set(address, id);
  }
  const { rows } = await sql<{ transaction_id: string; derivation_index: number }>`
    select transaction_id, derivation_index from address where transaction_id is not null`.execute(db);
  const indexOf = new Map(rows.map((row) => [row.transaction_id, row.derivation_index]));
  for (const { address, id } of payments.filter(({ network }) => network === 'litecoin')) {
    const index = indexOf.get(id);
    if (index === undefined || merchant.wallet.addressAt(index) !== address) {
      problems.push(`${address} of ${id} is not what the wallet has at index ${index}`);
    }
  }
  return finding('no address is given twice, and each is of the wallet', payments.length, problems);
}

async function checkKeys(
  db: Kysely<Database>,
  payments: readonly ChaosPayment[],
  client: MerchantClient,
): Promise<Finding> {
  const problems = [...client.responses]
    .filter(([, ids]) => ids.size !== 1)
    .map(([key, ids]) => `${key} was answered with ${[...ids].join(' and ')}`);
  const rows = await db.selectFrom('transaction').select(['id', 'idempotency_key']).execute();
  const known = new Set(payments.map(({ id }) => id));
  for (const { id, idempotency_key: key } of rows)
    if (!known.has(id)) problems.push(`${id} (${key}) was answered to no request`);
  return finding('every idempotency key gave one payment', client.responses.size, problems);
}

/** Each completed live payment is counted exactly once. */
async function checkMonths(db: Kysely<Database>): Promise<Finding> {
  const { rows } = await sql<{ used: number; completed: number }>`
    select (select coalesce(sum(used), 0)::int from monthly_usage) as used,
      (select count(*)::int from transaction where mode = 'live' and completed_at is not null) as completed`.execute(
    db,
  );
  const [counts] = rows;
  const isEqual = counts !== undefined && counts.used === counts.completed;
  const problem = `the months count ${counts?.used} payments; ${counts?.completed} are completed`;
  return finding('months count every completed payment once', counts?.completed ?? 0, isEqual ? [] : [problem]);
}

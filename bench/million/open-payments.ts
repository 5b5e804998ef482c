import { type Kysely, sql } from 'kysely';
import { PARTITIONS } from '../../src/platform/bus/index.ts';
import type { Database } from '../../src/platform/db/index.ts';
import { createConcurrencyLimit } from '../support/concurrency-limit.ts';
import { withoutTimeout } from './without-timeout.ts';

/** The network of the copies; a node of it can be watched. */
export const FILLED_NETWORK = 'litecoin-regtest';

const ROWS_AT_ONCE = 10_000;
const CONNECTIONS = 4;
/** Copies have derivation indexes far above any that is derived during the bench. */
const FIRST_INDEX = 10_000_000;
/** Tables with rows for a created payment, parents first, with the column that holds its id. */
const TABLES = [
  ['actor', 'id'],
  ['journal_entry', 'actor_id'],
  ['transaction_terms', 'id'],
  ['transaction_status', 'id'],
  ['address', 'transaction_id'],
  ['timer', 'actor_id'],
  ['webhook_event', 'transaction_id'],
] as const;

/**
 * Copies one open payment, created by the service itself, `count` times: the same rows in every
 * table, with their own ids and addresses, as live payments of `FILLED_NETWORK`. All columns of
 * the tables are copied.
 */
export async function copyOpenPayment(
  db: Kysely<Database>,
  { transactionId, copies }: { readonly transactionId: string; readonly copies: number },
): Promise<void> {
  const model = await db
    .selectFrom('address')
    .selectAll()
    .where('transaction_id', '=', transactionId)
    .executeTakeFirstOrThrow();
  const event = await db
    .selectFrom('webhook_event')
    .select('id')
    .where('transaction_id', '=', transactionId)
    .executeTakeFirstOrThrow();
  const replaced: readonly (readonly [string, string])[] = [
    [transactionId, `'txn_' || left(md5('open ' || number), 26)`],
    [event.id, `'evt_' || left(md5('open ' || number), 26)`],
    [model.address, `'rltc1q' || left(md5('address ' || number), 32) || 'bench'`],
    [model.watch_key, `'0014' || md5('script ' || number) || left(md5(number::text), 8)`],
    [model.network, `'${FILLED_NETWORK}'`],
    ['"mode": "test"', `'"mode": "live"'`],
  ];
  const limit = createConcurrencyLimit(CONNECTIONS);
  const parts = Array.from({ length: Math.ceil(copies / ROWS_AT_ONCE) }, (_, part) => 1 + part * ROWS_AT_ONCE);
  const copyPart = async (first: number) => {
    const last = Math.min(copies, first + ROWS_AT_ONCE - 1);
    for (const [table, key] of TABLES)
      await withoutTimeout(db, (connection) =>
        copyRow(connection, { table, key, transactionId, replaced, first, last }),
      );
  };
  await Promise.all(parts.map((first) => limit.run(() => copyPart(first))));
  await withoutTimeout(db, async (connection) => {
    await sql`vacuum analyze`.execute(connection);
    await sql`checkpoint`.execute(connection);
  });
}

// Helpers

interface CopyOrder {
  readonly table: string;
  readonly key: string;
  readonly transactionId: string;
  /** A value of the model, and the SQL expression of `number` that replaces it in a copy. */
  readonly replaced: readonly (readonly [string, string])[];
  readonly first: number;
  readonly last: number;
}

async function copyRow(db: Kysely<Database>, order: CopyOrder): Promise<void> {
  const { table, key, transactionId, replaced, first, last } = order;
  const { rows: columns } = await sql<{ name: string; type: string; value: string | null }>`
    select attname as name, format_type(atttypid, atttypmod) as type,
      case when format_type(atttypid, atttypmod) = 'jsonb' then (row_json -> attname)::text else row_json ->> attname end
        as value
    from pg_attribute cross join (
      select to_jsonb(model) as row_json from ${sql.table(table)} as model where model.${sql.ref(key)} = ${transactionId}
      limit 1
    ) as model
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = ''`.execute(db);
  // `inserted_xid` is set by the database.
  const copied = columns.filter(({ name, value }) => value !== null && name !== 'inserted_xid');
  const values = copied.map(({ name, type, value }) => {
    if (name === 'derivation_index') return sql.raw(`${FIRST_INDEX} + number`);
    if (name === 'partition') return sql.raw(`abs(hashtext('open ' || number)) % ${PARTITIONS}`);
    if (name === 'mode') return sql.lit('live');
    let text = sql`${sql.lit(value)}`;
    for (const [from, to] of replaced) {
      if (value?.includes(from) === true) text = sql`replace(${text}, ${sql.lit(from)}, ${sql.raw(to)})`;
    }
    return sql`(${text})::${sql.raw(type)}`;
  });
  const hasGate = columns.some(({ name }) => name === 'gate');
  const gate = hasGate ? [sql.lit(FILLED_NETWORK)] : [];
  const names = [...copied.map(({ name }) => name), ...(hasGate ? ['gate'] : [])].map((name) => sql.ref(name));
  await sql`
    insert into ${sql.table(table)} (${sql.join(names)})
    select ${sql.join([...values, ...gate])} from generate_series(${sql.lit(first)}::int8, ${sql.lit(last)}::int8) as series (number)`.execute(
    db,
  );
}

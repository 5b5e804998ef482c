import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../../platform/db/index.ts';
import type { Scope } from '../view/get-transaction.ts';

/**
 * Makes payments findable by their metadata: one row per different value that is a string or a
 * number, regardless of its key. Values inside lists and objects are excluded. `payments` is an SQL
 * FROM item with the columns id, merchant_id, mode and metadata; each payment is inserted once.
 *
 * A separate table instead of a GIN index, which cannot stop after the first of a million matches.
 * Hashes, so that a row is small and a value of any length has one.
 */
export async function insertMetadataValues(db: Kysely<Database>, payments: RawBuilder<unknown>): Promise<void> {
  await sql`
    insert into transaction_metadata (value_hash, transaction_id)
    select distinct ${hashOf(sql`found.merchant_id || ' ' || found.mode`, TEXT_OF_ENTRY)}, found.id
    from ${payments} as found cross join lateral jsonb_each(found.metadata) as entry
    where ${IS_SEARCHABLE}`.execute(db);
}

/** The hash under which a text (SQL) would be stored, if it were a metadata value of a payment. */
export function metadataHash({ merchantId, mode }: Scope, text: RawBuilder<unknown>): RawBuilder<number> {
  return hashOf(sql`${`${merchantId} ${mode}`}::text`, text);
}

/** As `metadataHash`, for a merchant id and a mode in SQL. */
export function metadataHashIn(merchantId: RawBuilder<string>, mode: RawBuilder<string>, text: RawBuilder<unknown>) {
  return hashOf(sql`${merchantId} || ' ' || ${mode}`, text);
}

/** The condition on a row of `transaction` that a text is one of its metadata values. */
export function hasMetadataValue(text: string): RawBuilder<boolean> {
  return sql`exists (
    select from jsonb_each(transaction.metadata) as entry where ${IS_SEARCHABLE} and ${TEXT_OF_ENTRY} = ${text}
  )`;
}

// Helpers

const IS_SEARCHABLE = sql`jsonb_typeof(entry.value) in ('string', 'number')`;
const TEXT_OF_ENTRY = sql`(entry.value #>> '{}')`;

/** The first 64 bits of SHA-256, which is the same in every version of the database. */
function hashOf(scope: RawBuilder<unknown>, value: RawBuilder<unknown>): RawBuilder<number> {
  const digest = sql`sha256(convert_to(${scope} || ' ' || ${value}, 'UTF8'))`;
  return sql`('x' || encode(substring(${digest} from 1 for 8), 'hex'))::bit(64)::int8`;
}

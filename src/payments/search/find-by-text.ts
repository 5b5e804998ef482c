import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../../platform/db/index.ts';
import { hasMetadataValue, metadataHash, metadataHashIn } from '../projection/metadata-values.ts';
import type { Scope } from '../view/get-transaction.ts';
import { ORDER_NAME } from '../view/order-name.ts';
import { type ListConditions, matches } from './list-conditions.ts';
import { hasTitle, idsByTitle } from './match-titles.ts';

/** A text with more matches than this becomes a condition on the list; else ids are looked up. */
export const MAX_FOUND = 2_000;

/**
 * The payments that match a text, as conditions of a list: those whose id or order id starts with
 * it, or whose id is shown in lists as it; with this customer email, deposit address or metadata
 * value; opened through a payment link or recurring payment request with it in the title; or whose
 * address this on-chain transaction paid, counted or not. Emails, addresses, titles and txids match
 * case-insensitively.
 *
 * Each of these has an index, none in list order. The ids are therefore looked up, as long as they
 * are few, and sorted later. For a text with many matches, such as `order-`, scanning the list
 * itself soon finds the newest ones.
 */
export async function findByText(db: Kysely<Database>, scope: Scope, text: string): Promise<ListConditions> {
  const { rows } = await foundStatement(scope, text).execute(db);
  if (rows.length > MAX_FOUND) return { rest: meansText(scope, text) };
  return { ids: [...new Set(rows.map(({ id }) => id))] };
}

/** The text as a condition on each row of the list, for texts with many matches. */
export function meansText(scope: Scope, text: string): RawBuilder<unknown> {
  const paid = sql`id = any(array(${paidBy(text)}))`;
  const any = [
    begins('id', text),
    ...isShortened(text),
    begins('order_id', text),
    isCustomer(text),
    isAddress(text),
    hasMetadataValue(text),
    hasTitle(scope, text),
    paid,
  ];
  return sql.join(
    any.map((condition) => sql`(${condition})`),
    sql` or `,
  );
}

function isAddress(text: string): RawBuilder<unknown> {
  return sql`lower(deposit_address) = lower(${text})`;
}

/**
 * SQL for the ids of payments in all shops that customers and merchants know by this text: their
 * order id, in metadata too, or deposit address, or an on-chain transaction to it. Only whole texts
 * match, addresses and txids case-insensitively. Each shop is a separate range in the indexes.
 */
export function paymentsKnownAs(text: string): RawBuilder<{ readonly id: string }> {
  const hash = metadataHashIn(sql`merchant.id`, sql`scope.mode`, sql`${text}::text`);
  return sql`
    select named.id from merchant cross join (values ('live'), ('test')) as scope (mode) cross join lateral (
      select id from transaction_terms
      where merchant_id = merchant.id and mode = scope.mode and order_id = ${text}
      union all
      select id from transaction_terms
      where merchant_id = merchant.id and mode = scope.mode and ${isAddress(text)}
      union all
      select id from transaction_metadata join transaction_terms on id = transaction_id
      where value_hash = ${hash} and ${ORDER_NAME} = ${text}
    ) as named
    union all
    ${paidBy(text)}`;
}

// Helpers

/** The payments whose addresses a transaction paid, with coins that they count or do not. */
function paidBy(text: string): RawBuilder<unknown> {
  const txid = text.toLowerCase();
  return sql`
    select transaction_id from payment where txid = ${txid}
    union all
    select transaction_id from unassigned_payment where txid = ${txid} and transaction_id is not null`;
}

/** No id and hardly any order id contains a character above it. */
const LAST_CHARACTER = '\u{10ffff}';

/**
 * An id as lists show it, with its middle left out, such as `txn_3k7rj0…4hzn0d`. Ids that start
 * with the same 10 characters are those of four minutes, so few are read. By the end alone, an id
 * cannot be found without another index.
 */
const SHORTENED = /^(\S{10,}?)(?:…|\.{3})(\S+)$/;

/** At most one row more than is looked up; may contain duplicates. */
function foundStatement(scope: Scope, text: string): RawBuilder<{ readonly id: string }> {
  const limit = MAX_FOUND + 1;
  const ofScope = matches(scope, {});
  // Each is sorted like its index, so that the planner chooses no other index.
  return sql`
    select found.id from (
      (select id from transaction_terms where ${ofScope} and ${begins('id', text)} order by id limit ${limit})
      ${sql.join(
        isShortened(text).map(
          (condition) =>
            sql`union all (select id from transaction_terms where ${ofScope} and ${condition} order by id limit ${limit})`,
        ),
        sql` `,
      )}
      union all
      (select id from transaction_terms where ${ofScope} and ${begins('order_id', text)}
        order by order_id limit ${limit})
      union all
      (select id from transaction_terms where ${ofScope} and ${isCustomer(text)} limit ${limit})
      union all
      (select id from transaction_terms where ${ofScope} and ${isAddress(text)} limit ${limit})
      union all
      (select paid.id from (select transaction_id from (${paidBy(text)}) as paid limit ${limit}) as payment
        cross join lateral (
          select id from transaction_terms where id = payment.transaction_id and ${ofScope} limit 1
        ) as paid)
      union all
      (select transaction_id from transaction_metadata where value_hash = ${metadataHash(scope, sql`${text}::text`)} limit ${limit})
      union all
      (${idsByTitle(scope, text, limit)})
    ) as found limit ${limit}`;
}

function begins(column: 'id' | 'order_id', text: string): RawBuilder<unknown> {
  const value = sql.ref(column);
  return sql`${value} >= ${text} and ${value} < ${text + LAST_CHARACTER}`;
}

/** A condition for a shortened id, none for other texts. */
function isShortened(text: string): RawBuilder<unknown>[] {
  const [, start, end] = SHORTENED.exec(text) ?? [];
  if (start === undefined || end === undefined) return [];
  return [sql`${begins('id', start)} and right(id, ${end.length}::int4) = ${end}`];
}

function isCustomer(text: string): RawBuilder<unknown> {
  return sql`lower(customer_email) = lower(${text})`;
}

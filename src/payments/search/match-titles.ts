import { type RawBuilder, sql } from 'kysely';
import { metadataHash } from '../projection/metadata-values.ts';
import type { Scope } from '../view/get-transaction.ts';
import { matches } from './list-conditions.ts';

/**
 * Maximum number of payment links (in the order of their slugs) and of recurring payment requests
 * (newest first) whose titles are searched. It bounds what a search reads; few merchants have more.
 */
export const MAX_TITLES = 2_000;

/**
 * SQL for the ids of payments that were opened through a payment link or recurring payment request
 * whose title contains the text, upper and lower case alike. By the index of metadata values: such
 * payments have the slug of their link, or the id of their request, in their metadata.
 */
export function idsByTitle(scope: Scope, text: string, limit: number): RawBuilder<{ readonly id: string }> {
  const ofScope = matches(scope, {});
  return sql`
    select paid.id from (
      select 'payment_link' as key, slug as name from ${links(scope, text)}
      union all
      select 'schedule_id', id from ${schedules(scope, text)}
    ) as titled
    cross join lateral (
      select transaction_id from transaction_metadata where value_hash = ${metadataHash(scope, sql`titled.name`)} limit ${limit}
    ) as tagged
    cross join lateral (
      select id from transaction_terms
      where id = tagged.transaction_id and ${ofScope} and metadata ->> titled.key = titled.name limit 1
    ) as paid limit ${limit}`;
}

/** The same as a condition on a row of `transaction`. */
export function hasTitle(scope: Scope, text: string): RawBuilder<unknown> {
  return sql`metadata ->> 'payment_link' in (select slug from ${links(scope, text)})
    or metadata ->> 'schedule_id' in (select id from ${schedules(scope, text)})`;
}

// Helpers

function links(scope: Scope, text: string): RawBuilder<unknown> {
  return sql`(
    select slug, title from payment_link where ${matches(scope, {})} order by slug limit ${MAX_TITLES}
  ) as link where ${contains('title', text)}`;
}

function schedules(scope: Scope, text: string): RawBuilder<unknown> {
  return sql`(
    select id, description from schedule where ${matches(scope, {})} order by created_at desc, id desc limit ${MAX_TITLES}
  ) as request where ${contains('description', text)}`;
}

function contains(column: 'title' | 'description', text: string): RawBuilder<unknown> {
  return sql`position(lower(${text}) in lower(${sql.ref(column)})) > 0`;
}

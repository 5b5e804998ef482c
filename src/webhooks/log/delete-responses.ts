import { type Kysely, sql } from 'kysely';
import type { UnixMs } from '../../../machines/index.ts';
import { auditRequest, type RequestAuthor } from '../../merchants/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/index.ts';
import type { EndpointOfMerchant } from '../endpoints/endpoint.ts';
import { requireLoggedEndpoint } from './list-deliveries.ts';

/**
 * Deliveries per statement. Each commits for itself, so that a long log holds no locks for long.
 */
const PAGE_DELIVERIES = 500;

/**
 * Deletes the responses of an endpoint so far: bodies and headers of all stored attempts. Status,
 * failure, times and requests stay. Returns the number of attempts. When it is interrupted, part is
 * deleted; calling it again continues. Throws a `TerminalError` `WEBHOOK_ENDPOINT_NOT_FOUND`, also
 * for another merchant's; accepts a deleted endpoint.
 */
export async function deleteResponses(
  { db, clock }: { readonly db: Kysely<Database>; readonly clock: Clock },
  { merchantId, endpointId, author }: EndpointOfMerchant & { readonly author: RequestAuthor },
): Promise<number> {
  await requireLoggedEndpoint(db, { merchantId, endpointId });
  const until = clock.now();
  await auditRequest(db, author, {
    merchantId,
    what: 'webhook_endpoint.responses_deleted',
    subjectId: endpointId,
    details: { until },
  });
  let deleted = 0;
  for (let after: Cursor | null = { createdAt: new Date(0), id: '' }; after !== null; ) {
    const page = await deletePage(db, { endpointId, until, after: after as Cursor });
    deleted += page.deleted;
    after = page.last;
  }
  return deleted;
}

// Helpers

interface Cursor {
  readonly createdAt: Date;
  readonly id: string;
}

/** `last` is null after the last page. */
async function deletePage(
  db: Kysely<Database>,
  { endpointId, until, after }: { endpointId: string; until: UnixMs; after: Cursor },
): Promise<{ readonly deleted: number; readonly last: Cursor | null }> {
  // An attempt is never older than its delivery; the extra day covers clock differences. It limits
  // the scan to the partitions from that month on.
  const { rows } = await sql<{ deleted: number; id: string | null; created_at: UnixMs | null }>`
    with page as (
      select id, created_at from webhook_delivery
      where endpoint_id = ${endpointId} and created_at <= ${new Date(until)}
        and (created_at, id) > (${after.createdAt}, ${after.id})
      order by created_at, id limit ${PAGE_DELIVERIES}
    ), cleared as (
      update webhook_attempt set response_body = null, response_headers = null, is_response_cut = false
      from page
      where webhook_attempt.delivery_id = page.id and webhook_attempt.started_at >= page.created_at - interval '1 day'
        and (response_body is not null or response_headers is not null)
      returning 1
    )
    select (select count(*) from cleared)::int4 as deleted, last.id, last.created_at
    from (select 1) as one left join (
      select id, created_at from page order by created_at desc, id desc limit 1
    ) as last on true`.execute(db);
  const [{ deleted, id, created_at } = { deleted: 0, id: null, created_at: null }] = rows;
  return { deleted, last: id === null || created_at === null ? null : { createdAt: new Date(created_at), id } };
}

import { type Kysely, sql, type Transaction } from 'kysely';
import type { UnixMs } from '../../../machines/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { type EndpointFailureState, WARN_AFTER_MS } from './decide.ts';

/** An endpoint as a health check reads it. */
export interface CheckedEndpoint extends EndpointFailureState {
  readonly id: string;
  readonly merchantId: string;
  /** Host and port of its URL. */
  readonly host: string;
}

/**
 * Ids of endpoints for which something may be due, in order, after `after`: endpoints that have
 * failed long enough for a warning or for disabling, that responded with 410, or whose recovery has
 * not been reported to the merchant.
 */
export async function findDueEndpoints(
  db: Kysely<Database>,
  { now, after, limit }: { now: UnixMs; after: string; limit: number },
): Promise<string[]> {
  const [first, second] = WARN_AFTER_MS;
  const { rows } = await sql<{ id: string }>`
    select id from webhook_endpoint
    where id > ${after} and enabled and deleted_at is null and (
      (failing_since <= ${new Date(now - first)} and notices_sent = 0)
      or (failing_since <= ${new Date(now - second)} and disables_itself)
      or (disables_on_gone and gone_at is not null)
      or (failing_since is null and warned_at is not null)
    )
    order by id limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * The endpoint, locked until the transaction ends; null when it was deleted or is locked by another
 * transaction.
 */
export async function lockCheckedEndpoint(
  trx: Transaction<Database>,
  endpointId: string,
): Promise<CheckedEndpoint | null> {
  const row = await trx
    .selectFrom('webhook_endpoint')
    .select(['id', 'merchant_id', 'url', 'enabled', 'disables_itself', 'disables_on_gone', 'gone_at'])
    .select(['failing_since', 'notices_sent', 'warned_at', 'warned_since'])
    .where('id', '=', endpointId)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .skipLocked()
    .executeTakeFirst();
  if (row === undefined) return null;
  const { warned_at: at, warned_since: since } = row;
  return {
    id: row.id,
    merchantId: row.merchant_id,
    host: new URL(row.url).host,
    enabled: row.enabled,
    disablesItself: row.disables_itself,
    disablesOnGone: row.disables_on_gone,
    goneAt: row.gone_at,
    failingSince: row.failing_since,
    warned: row.notices_sent,
    openWarning: at === null || since === null ? null : { at, since },
  };
}

import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../../platform/db/index.ts';
import type { Alert } from '../types.ts';
import { readableDetail } from './alert-details.ts';

/** At most this many unresolved alerts are read, the newest ones. */
const NEWEST_ALERTS = 100;

/** The newest unresolved alerts for which this condition on `operator_alert` holds. */
export async function readAlerts(db: Kysely<Database>, isRequested: RawBuilder<unknown>): Promise<Alert[]> {
  const { rows } = await sql<Alert & { readonly crypto: string | null }>`
    select id, coalesce(actor_id, '') as "actorId", alert, detail, created_at as at,
      (select crypto from transaction_terms as terms where terms.id = operator_alert.actor_id) as crypto
    from operator_alert
    where resolved_at is null and ${isRequested} order by created_at desc, id desc limit ${NEWEST_ALERTS}`.execute(db);
  return rows.map(({ crypto, detail, ...alert }) => ({ ...alert, detail: readableDetail(detail, crypto) }));
}

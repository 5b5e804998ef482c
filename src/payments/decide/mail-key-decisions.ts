import { type Kysely, sql } from 'kysely';
import { HOUR_MS, MINUTE_MS, type UnixMs } from '../../../machines/index.ts';
import { mailOwners } from '../../accounts/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { DECISION_ACTIONS } from '../projection/decisions.ts';

/** After the hour, so that decisions at its very end are counted. */
const SENT_AFTER_MS = 5 * MINUTE_MS;

/**
 * Mails the owners how many live payments were decided with API keys in this hour, shortly after
 * it: one mail per hour, whose number is updated until it is sent. Called after each such decision;
 * it counts audit entries, so calling it again is safe.
 */
export async function mailKeyDecisions(
  db: Kysely<Database>,
  { merchantId, now }: { readonly merchantId: string; readonly now: UnixMs },
): Promise<void> {
  const hour = Math.floor(now / HOUR_MS);
  const [from, to] = [hour * HOUR_MS, (hour + 1) * HOUR_MS];
  const about = `decided_by_key:${merchantId}:${hour}`;
  await db.transaction().execute(async (trx) => {
    // Serialized, so that the mail has the latest count.
    await sql`select pg_advisory_xact_lock(hashtextextended(${about}, 0))`.execute(trx);
    const count = await countDecisions(trx, { merchantId, from, to });
    if (count > 0)
      await mailOwners(
        { trx, now },
        { merchantId, about, content: contentOf(count, from), sendAt: to + SENT_AFTER_MS },
      );
  });
}

// Helpers

async function countDecisions(
  db: Kysely<Database>,
  { merchantId, from, to }: { readonly merchantId: string; readonly from: UnixMs; readonly to: UnixMs },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from audit_entry
    join transaction on transaction.id = audit_entry.subject_id and transaction.mode = 'live'
    where audit_entry.occurred_at >= ${new Date(from)} and audit_entry.occurred_at < ${new Date(to)}
      and audit_entry.merchant_id = ${merchantId} and what = any(${DECISION_ACTIONS}::text[])
      and who like 'API key %'`.execute(db);
  return rows[0]?.count ?? 0;
}

const HOUR = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

function contentOf(count: number, from: UnixMs) {
  const what = count === 1 ? 'A payment was' : `${count} payments were`;
  return {
    subject: `${what} decided with an API key`,
    blocks: [
      { kind: 'paragraph', text: `${what} decided with an API key in the hour from ${HOUR.format(from)} UTC.` },
      {
        kind: 'paragraph',
        text: 'If your shop does this, there is nothing to do. If not, revoke the key at once, and hold back what these decisions released: the audit log names the key and the payments.',
      },
    ],
  } as const;
}

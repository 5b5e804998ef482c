import { type Kysely, sql, type Transaction } from 'kysely';
import { HOUR_MS, MINUTE_MS, type UnixMs } from '../../../machines/index.ts';
import { emailOwners } from '../../accounts/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { DECISION_ACTIONS } from '../projection/decisions.ts';

/** After the hour, so that decisions at its very end are counted. */
const SENT_AFTER_MS = 5 * MINUTE_MS;

/**
 * Emails the owners how many live payments were decided with API keys in the hour in which this one
 * last was, shortly after it: one email per hour, whose number is updated until it is sent. Called
 * after each such decision; it counts audit entries, so calling it again is safe. A decision that
 * the email of its hour did not count is emailed when the call is repeated.
 */
export async function emailKeyDecisions(
  db: Kysely<Database>,
  payment: { readonly merchantId: string; readonly transactionId: string; readonly now: UnixMs },
): Promise<void> {
  const { merchantId, now } = payment;
  const decidedAt = await findDecision(db, payment);
  if (decidedAt === null) return;
  const hour = Math.floor(decidedAt / HOUR_MS);
  const [from, to] = [hour * HOUR_MS, (hour + 1) * HOUR_MS];
  const about = `decided_by_key:${merchantId}:${hour}`;
  await db.transaction().execute(async (trx) => {
    // Serialized, so that the email has the latest count.
    await sql`select pg_advisory_xact_lock(hashtextextended(${about}, 0))`.execute(trx);
    const sendAt = to + SENT_AFTER_MS;
    if (now >= sendAt && (await wasEmailed(trx, { about, since: decidedAt }))) return;
    const count = await countDecisions(trx, { merchantId, from, to });
    const content = contentOf(count, from);
    // By now the email of the hour may be sent: this one needs its own key.
    const key = now >= sendAt ? `${about}:${count}` : about;
    await emailOwners({ trx, now }, { merchantId, about: key, content, sendAt });
  });
}

// Helpers

const IS_BY_KEY = sql<boolean>`what = any(${DECISION_ACTIONS}::text[]) and who like 'API key %'`;

/**
 * When a payment was last decided with an API key, by its audit entry; null when that is no longer
 * kept. The current time may be in a later hour: the decision was recorded before this request
 * ended, or by an earlier one whose email failed.
 */
async function findDecision(
  db: Kysely<Database>,
  { merchantId, transactionId }: { readonly merchantId: string; readonly transactionId: string },
): Promise<UnixMs | null> {
  const { rows } = await sql<{ at: UnixMs }>`
    select occurred_at as at from audit_entry
    where merchant_id = ${merchantId} and subject_id = ${transactionId} and ${IS_BY_KEY}
    order by id desc limit 1`.execute(db);
  return rows[0]?.at ?? null;
}

/** Whether an email about this was written since, and so counted all decisions until then. */
async function wasEmailed(
  trx: Transaction<Database>,
  { about, since }: { readonly about: string; readonly since: UnixMs },
): Promise<boolean> {
  const { rows } = await sql`
    select from mail where dedupe_key >= ${`${about}:`} and dedupe_key < ${`${about};`}
      and created_at >= ${new Date(since)}
    limit 1`.execute(trx);
  return rows.length > 0;
}

async function countDecisions(
  db: Kysely<Database>,
  { merchantId, from, to }: { readonly merchantId: string; readonly from: UnixMs; readonly to: UnixMs },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from audit_entry
    join transaction on transaction.id = audit_entry.subject_id and transaction.mode = 'live'
    where audit_entry.occurred_at >= ${new Date(from)} and audit_entry.occurred_at < ${new Date(to)}
      and audit_entry.merchant_id = ${merchantId} and ${IS_BY_KEY}`.execute(db);
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
        text: 'If your shop does this, no action is needed. If not, revoke the key immediately and hold back the orders it released: the audit log names the key and the payments.',
      },
    ],
  } as const;
}

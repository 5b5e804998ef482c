import { sql, type Transaction } from 'kysely';
import { DAY_MS, type UnixMs } from '../../../machines/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { mailboxOf } from '../../platform/email-address.ts';
import { mailboxIn } from '../mailbox-in.ts';

/**
 * Emails of test schedules that are sent to one mailbox within a day. The clock of a test schedule
 * can be advanced by years at once, and its emails would delay those of all merchants.
 */
export const MAX_TEST_EMAILS = 30;

/** Positions of the emails beyond `MAX_TEST_EMAILS`: they are stored, not sent. */
export async function findTestEmailsBeyondLimit(
  trx: Transaction<Database>,
  recipients: readonly string[],
  now: UnixMs,
): Promise<ReadonlySet<number>> {
  if (recipients.length === 0) return new Set();
  const mailboxes = [...new Set(recipients.map(mailboxOf))];
  const { rows } = await sql<{ mailbox: string; count: number }>`
    select ${mailboxIn('recipient')} as mailbox, count(*)::int4 as count
    from mail join schedule on schedule.id = mail.actor_id
    where ${mailboxIn('recipient')} = any(${mailboxes}::text[]) and mail.created_at > ${new Date(now - DAY_MS)}
      and schedule.mode = 'test' and mail.state <> 'stored'
    group by 1`.execute(trx);
  const counts = new Map(rows.map(({ mailbox, count }) => [mailbox, count]));
  const beyond = new Set<number>();
  for (const [index, recipient] of recipients.entries()) {
    const count = counts.get(mailboxOf(recipient)) ?? 0;
    if (count >= MAX_TEST_EMAILS) beyond.add(index);
    counts.set(mailboxOf(recipient), count + 1);
  }
  return beyond;
}

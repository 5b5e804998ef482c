import { createHash } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import { DAY_MS, type UnixMs } from '../../machines/index.ts';
import { type Database, together } from '../db/index.ts';
import type { PreparedInput, StartDraft } from '../engine/index.ts';
import { TerminalError } from '../errors.ts';
import { CONFIRMATION_KEYS } from './projection/mails.ts';
import type { ScheduleAttachment } from './schedule-step.ts';

/** Nobody asked for the first mail of a schedule, so one address gets only so many of them. */

/** Requests for confirmation that go to one address within `RECENT_MS`, over all merchants. */
export const MAX_RECENT_CONFIRMATIONS = 10;
const RECENT_MS = DAY_MS;
/** Schedules of one merchant that wait for the confirmation of one address. */
export const MAX_UNCONFIRMED = 5;

/**
 * Refuses starts that would write to an address too often, `RECIPIENT_LIMIT_REACHED`. Addresses are locked until the batch commits,
 * so that two processes cannot both send the last one. Test schedules write to their merchant alone and are not counted.
 */
export async function admitRecipients(
  trx: Transaction<Database>,
  drafts: readonly StartDraft[],
  now: UnixMs,
): Promise<readonly PreparedInput[]> {
  const live = drafts.map(attachmentOf).filter(({ mode }) => mode === 'live');
  if (live.length === 0) return drafts.map(({ input }) => ({ input }));
  await lockRecipients(
    trx,
    live.map(({ customerEmail }) => customerEmail),
  );
  const counts = await countRecent(trx, live, now);
  return drafts.map((draft) => {
    const { mode, customerEmail, merchantId } = attachmentOf(draft);
    if (mode === 'test') return { input: draft.input };
    const [toAddress, ofMerchant] = [keyOf(customerEmail), keyOf(customerEmail, merchantId)];
    const [recent, unconfirmed] = [counts.get(toAddress) ?? 0, counts.get(ofMerchant) ?? 0];
    if (recent >= MAX_RECENT_CONFIRMATIONS || unconfirmed >= MAX_UNCONFIRMED) return { refusal: tooMany() };
    counts.set(toAddress, recent + 1).set(ofMerchant, unconfirmed + 1);
    return { input: draft.input };
  });
}

/** Throws `RECIPIENT_LIMIT_REACHED` when one mail more to this address would be too many. */
export async function requireRoomFor(db: Kysely<Database>, customerEmail: string, now: UnixMs): Promise<void> {
  const counts = await countRecent(db, [{ customerEmail, merchantId: '' }], now);
  if ((counts.get(keyOf(customerEmail)) ?? 0) >= MAX_RECENT_CONFIRMATIONS) throw tooMany();
}

// Helpers

type Recipient = Pick<ScheduleAttachment, 'customerEmail' | 'merchantId'>;

function attachmentOf({ attachment }: StartDraft): ScheduleAttachment {
  // `createSchedule` made it; the engine hands it on untouched.
  return attachment as ScheduleAttachment;
}

function keyOf(customerEmail: string, merchantId?: string): string {
  return JSON.stringify([customerEmail.toLowerCase(), merchantId ?? null]);
}

/** Released by the end of the transaction. Sorted, so that two batches never wait for each other. */
async function lockRecipients(trx: Transaction<Database>, emails: readonly string[]): Promise<void> {
  const keys = [...new Set(emails.map(lockKey))].sort((a, b) => (a < b ? -1 : 1));
  await sql`
    select pg_advisory_xact_lock(key) from unnest(${keys.map(String)}::int8[]) with ordinality as wanted (key, place)
    order by place`.execute(trx);
}

function lockKey(email: string): bigint {
  return createHash('sha256').update(`mail to ${email.toLowerCase()}`).digest().readBigInt64BE(0);
}

async function countRecent(
  db: Kysely<Database>,
  recipients: readonly Recipient[],
  now: UnixMs,
): Promise<Map<string, number>> {
  const emails = [...new Set(recipients.map(({ customerEmail }) => customerEmail.toLowerCase()))];
  const [recent, unconfirmed] = await together([
    sql<{ email: string; count: number }>`
      select lower(recipient) as email, count(*)::int4 as count
      from mail join schedule on schedule.id = mail.actor_id
      where lower(recipient) = any(${emails}::text[]) and mail.created_at > ${new Date(now - RECENT_MS)}
        and schedule.mode = 'live' and dedupe_key like ${CONFIRMATION_KEYS}
      group by lower(recipient)`.execute(db),
    sql<{ email: string; merchant_id: string; count: number }>`
      select lower(customer_email) as email, merchant_id, count(*)::int4 as count
      from schedule
      where lower(customer_email) = any(${emails}::text[]) and mode = 'live' and status = 'pending_confirmation'
      group by lower(customer_email), merchant_id`.execute(db),
  ]);
  return new Map([
    ...recent.rows.map(({ email, count }) => [keyOf(email), count] as const),
    ...unconfirmed.rows.map(({ email, merchant_id, count }) => [keyOf(email, merchant_id), count] as const),
  ]);
}

function tooMany(): TerminalError {
  const message =
    'Too many requests for confirmation went to this address and were not answered. Try again tomorrow, or ask the customer to confirm one of them.';
  return new TerminalError('RECIPIENT_LIMIT_REACHED', message, { field: 'customer_email' });
}

import { type Kysely, sql, type Transaction } from 'kysely';
import { CONFIRMATION_WINDOW_MS, DAY_MS, type UnixMs } from '../../machines/index.ts';
import { type Database, lockUntilCommit, settleAll } from '../platform/db/index.ts';
import { mailboxOf } from '../platform/email-address.ts';
import type { PreparedInput, StartDraft } from '../platform/engine/index.ts';
import { TerminalError } from '../platform/errors.ts';
import { mailboxIn } from './mailbox-in.ts';
import { CONFIRMATION_KEYS } from './projection/emails.ts';
import type { ScheduleAttachment } from './schedule-step.ts';

/**
 * Customers did not request the first email of a schedule, so both an address and a merchant have a
 * limit: the service must not be usable to mail a list of addresses.
 */

/**
 * Confirmation requests in `RECENT_MS` to one mailbox, regardless of its `+tag`, of all merchants.
 */
export const MAX_RECENT_CONFIRMATIONS = 10;
const RECENT_MS = DAY_MS;
/** Schedules of one merchant that await confirmation by one mailbox. */
export const MAX_PENDING_PER_RECIPIENT = 5;

export interface EmailBounds {
  readonly now: UnixMs;
  /**
   * Confirmation requests that one merchant may send within `RECENT_MS` to customers who have not
   * confirmed. Each confirmation frees capacity, so a shop whose customers want the emails is not
   * limited.
   */
  readonly maxUnconfirmed: number;
}

/**
 * Rejects starts that would send too many emails to an address or from a merchant, with
 * `RECIPIENT_LIMIT_REACHED`. Addresses and merchants are locked until the batch commits, so that
 * concurrent processes cannot exceed a limit. Test schedules send emails only to their own merchant
 * and are not counted.
 */
export async function admitRecipients(
  trx: Transaction<Database>,
  drafts: readonly StartDraft[],
  { now, maxUnconfirmed }: EmailBounds,
): Promise<readonly PreparedInput[]> {
  const live = drafts.map(attachmentOf).filter(({ mode }) => mode === 'live');
  if (live.length === 0) return drafts.map(({ input }) => ({ input }));
  await lockUntilCommit(trx, live.flatMap(lockNamesOf));
  const counts = await countRecent(trx, live, now);
  return drafts.map((draft) => {
    const { mode, customerEmail, merchantId } = attachmentOf(draft);
    if (mode === 'test') return { input: draft.input };
    const [toAddress, ofMerchant, byMerchant] = [
      keyOf(customerEmail),
      keyOf(customerEmail, merchantId),
      keyOf(null, merchantId),
    ];
    const countOf = (key: string) => counts.get(key) ?? 0;
    if (countOf(toAddress) >= MAX_RECENT_CONFIRMATIONS || countOf(ofMerchant) >= MAX_PENDING_PER_RECIPIENT) {
      return { rejection: tooManyToAddress() };
    }
    if (countOf(byMerchant) >= maxUnconfirmed) return { rejection: tooManyByMerchant(maxUnconfirmed) };
    for (const key of [toAddress, ofMerchant, byMerchant]) counts.set(key, countOf(key) + 1);
    return { input: draft.input };
  });
}

/**
 * Throws `RECIPIENT_LIMIT_REACHED` if one more email to this address or from this merchant is too
 * many.
 */
export async function requireRoomFor(
  db: Kysely<Database>,
  recipient: Recipient,
  { now, maxUnconfirmed }: EmailBounds,
): Promise<void> {
  const counts = await countRecent(db, [recipient], now);
  const countOf = (key: string) => counts.get(key) ?? 0;
  if (countOf(keyOf(recipient.customerEmail)) >= MAX_RECENT_CONFIRMATIONS) throw tooManyToAddress();
  if (countOf(keyOf(null, recipient.merchantId)) >= maxUnconfirmed) throw tooManyByMerchant(maxUnconfirmed);
}

/**
 * Positions of the confirmation emails in a commit that exceed the limits. Requests to resend are
 * checked before (`requireRoomFor`), but concurrent ones all pass that check. First emails were
 * admitted with their schedules; they are only counted.
 */
export async function findEmailsBeyondBounds(
  trx: Transaction<Database>,
  emails: readonly (Recipient & { readonly isResent: boolean })[],
  { now, maxUnconfirmed }: EmailBounds,
): Promise<ReadonlySet<number>> {
  const beyond = new Set<number>();
  if (!emails.some(({ isResent }) => isResent)) return beyond;
  await lockUntilCommit(trx, emails.flatMap(lockNamesOf));
  const counts = await countRecent(trx, emails, now);
  const countOf = (key: string) => counts.get(key) ?? 0;
  for (const [index, { customerEmail, merchantId, isResent }] of emails.entries()) {
    const [recipientKey, merchantKey] = [keyOf(customerEmail), keyOf(null, merchantId)];
    const isFull = countOf(recipientKey) >= MAX_RECENT_CONFIRMATIONS || countOf(merchantKey) >= maxUnconfirmed;
    if (isResent && isFull) beyond.add(index);
    else for (const key of [recipientKey, merchantKey]) counts.set(key, countOf(key) + 1);
  }
  return beyond;
}

// Helpers

type Recipient = Pick<ScheduleAttachment, 'customerEmail' | 'merchantId'>;

function attachmentOf({ attachment }: StartDraft): ScheduleAttachment {
  // Created by `createSchedule`; the engine passes it through unchanged.
  return attachment as ScheduleAttachment;
}

/** Key of a count: of an address, of a merchant, or of an address at a merchant. */
function keyOf(customerEmail: string | null, merchantId: string | null = null): string {
  return JSON.stringify([customerEmail === null ? null : mailboxOf(customerEmail), merchantId]);
}

function lockNamesOf({ customerEmail, merchantId }: Recipient): string[] {
  return [`mail to ${mailboxOf(customerEmail)}`, `confirmations of ${merchantId}`];
}

async function countRecent(
  db: Kysely<Database>,
  recipients: readonly Recipient[],
  now: UnixMs,
): Promise<Map<string, number>> {
  const mailboxes = [...new Set(recipients.map(({ customerEmail }) => mailboxOf(customerEmail)))];
  const merchants = [...new Set(recipients.map(({ merchantId }) => merchantId))];
  const [recent, unconfirmed, ofMerchants] = await settleAll([
    sql<{ mailbox: string; count: number }>`
      select ${mailboxIn('recipient')} as mailbox, count(*)::int4 as count
      from mail join schedule on schedule.id = mail.actor_id
      where ${mailboxIn('recipient')} = any(${mailboxes}::text[]) and mail.created_at > ${new Date(now - RECENT_MS)}
        and schedule.mode = 'live' and dedupe_key like ${CONFIRMATION_KEYS}
      group by 1`.execute(db),
    sql<{ mailbox: string; merchant_id: string; count: number }>`
      select ${mailboxIn('customer_email')} as mailbox, merchant_id, count(*)::int4 as count
      from schedule
      where ${mailboxIn('customer_email')} = any(${mailboxes}::text[]) and mode = 'live' and status = 'pending_confirmation'
      group by 1, 2`.execute(db),
    // Joins by `confirmationKey`, which is indexed. Older schedules no longer await confirmation.
    sql<{ merchant_id: string; count: number }>`
      select schedule.merchant_id, count(*)::int4 as count
      from schedule
      cross join lateral generate_series(0, schedule.confirmations_sent - 1) as sent (step)
      join mail on mail.dedupe_key = 'schedule:' || schedule.id || ':confirmation:' || sent.step
        and mail.created_at > ${new Date(now - RECENT_MS)}
      where schedule.merchant_id = any(${merchants}::text[]) and schedule.mode = 'live'
        and schedule.created_at > ${new Date(now - CONFIRMATION_WINDOW_MS - RECENT_MS)} and schedule.confirmed_at is null
      group by schedule.merchant_id`.execute(db),
  ]);
  return new Map([
    ...recent.rows.map(({ mailbox, count }) => [keyOf(mailbox), count] as const),
    ...unconfirmed.rows.map(({ mailbox, merchant_id, count }) => [keyOf(mailbox, merchant_id), count] as const),
    ...ofMerchants.rows.map(({ merchant_id, count }) => [keyOf(null, merchant_id), count] as const),
  ]);
}

function tooManyToAddress(): TerminalError {
  const message =
    'Too many confirmation emails to this address are unanswered. Try again tomorrow, or ask the customer to confirm one of them.';
  return new TerminalError('RECIPIENT_LIMIT_REACHED', message);
}

function tooManyByMerchant(maxUnconfirmed: number): TerminalError {
  const message = `This account sent ${maxUnconfirmed} emails within 24 hours to customers who have not confirmed, the limit set by RECURRING_MAX_UNCONFIRMED. Try again tomorrow, or when some of them have confirmed.`;
  return new TerminalError('RECIPIENT_LIMIT_REACHED', message);
}

import { type Kysely, sql } from 'kysely';
import { MAX_CONFIRMATIONS, REMINDERS_MS, type UnixMs } from '../../machines/index.ts';
import type { Scope } from '../payments/index.ts';
import type { Database } from '../platform/db/index.ts';
import { confirmationKey, requestKey } from './projection/emails.ts';
import { requireSchedule } from './schedule-rows.ts';

/**
 * An email to the customer of a schedule. Without its content, because its links act for the
 * customer.
 */
export interface ScheduleEmail {
  readonly kind: 'confirmation' | 'request' | 'reminder';
  /** Null for a confirmation. */
  readonly periodNo: number | null;
  /** `stored`: kept and never sent. `failed`: abandoned or bounced. */
  readonly state: 'queued' | 'stored' | 'sent' | 'failed';
  readonly failedBecause: 'bounced' | 'refused' | 'gave_up' | null;
  readonly createdAt: UnixMs;
  /** When a mail server accepted it; null before that. */
  readonly sentAt: UnixMs | null;
}

/** Emails are listed only for this many of the newest periods. */
const MAX_MAIL_PERIODS = 12;

/**
 * The emails of a schedule to its customer, newest first: every confirmation request, and those
 * about the newest periods. Throws `SCHEDULE_NOT_FOUND`.
 */
export async function listScheduleEmails(
  { db }: { readonly db: Kysely<Database> },
  scope: Scope,
  scheduleId: string,
): Promise<readonly ScheduleEmail[]> {
  const { last_period_no: newest } = await requireSchedule(db, scope, scheduleId);
  const subjects = subjectsOf(scheduleId, newest);
  // By their keys, which are indexed; the actor id is not.
  const rows = await db
    .selectFrom('mail')
    .select(['dedupe_key', 'state', 'failed_because', 'created_at', 'sent_at'])
    .where(sql<boolean>`dedupe_key = any(${[...subjects.keys()]}::text[])`)
    .where('merchant_id', '=', scope.merchantId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return rows.flatMap((row) => {
    const subject = subjects.get(row.dedupe_key);
    if (subject === undefined) return [];
    const { state, failed_because: failedBecause, created_at: createdAt, sent_at: sentAt } = row;
    return [{ ...subject, state, failedBecause, createdAt, sentAt }];
  });
}

// Helpers

type Subject = Pick<ScheduleEmail, 'kind' | 'periodNo'>;

/** The keys of all possible emails, with what each is about. */
function subjectsOf(scheduleId: string, newestPeriodNo: number): ReadonlyMap<string, Subject> {
  const subjects = new Map<string, Subject>();
  for (let step = 0; step < MAX_CONFIRMATIONS; step += 1) {
    subjects.set(confirmationKey(scheduleId, step), { kind: 'confirmation', periodNo: null });
  }
  for (let periodNo = newestPeriodNo; periodNo > Math.max(0, newestPeriodNo - MAX_MAIL_PERIODS); periodNo -= 1) {
    for (let step = 0; step <= REMINDERS_MS.length; step += 1) {
      const kind = step === 0 ? 'request' : 'reminder';
      subjects.set(requestKey(scheduleId, { periodNo, step }), { kind, periodNo });
    }
  }
  return subjects;
}

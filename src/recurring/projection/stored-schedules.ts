import { sql, type Transaction } from 'kysely';
import type { Database } from '../../platform/db/index.ts';
import type { ScheduleEventFields } from '../webhook-body.ts';

/** Data for emails and webhooks of a schedule that its chart does not have. */
export interface StoredSchedule extends Omit<ScheduleEventFields, 'interval'> {
  readonly merchantId: string;
  readonly merchantName: string;
  readonly merchantSettings: Readonly<Record<string, unknown>>;
  /**
   * Whether emails may be sent to this address. The clock of a test schedule can be advanced by
   * years within seconds, so anyone with a test key could flood any mailbox: emails of test
   * schedules therefore go only to users who can sign in for the merchant. The same applies to all
   * emails of a merchant that awaits approval.
   */
  readonly mayBeWrittenTo: boolean;
}

/** These schedules, by id; their rows must exist. */
export async function readStoredSchedules(
  trx: Transaction<Database>,
  scheduleIds: readonly string[],
): Promise<ReadonlyMap<string, StoredSchedule>> {
  if (scheduleIds.length === 0) return new Map();
  const { rows } = await sql<StoredSchedule & { readonly id: string }>`
    select schedule.id, schedule.merchant_id as "merchantId", merchant.name as "merchantName",
      merchant.settings as "merchantSettings", mode, reference,
      customer_email as "customerEmail", description, amount_fiat as "amountFiat", currency_fiat as "currencyFiat",
      (mode = 'live' and approval_pending_since is null) or exists (
        select from merchant_user
        where merchant_user.merchant_id = schedule.merchant_id and lower(email) = lower(customer_email)
          and password_hash is not null and disabled_at is null
      ) as "mayBeWrittenTo"
    from schedule join merchant on merchant.id = schedule.merchant_id
    where schedule.id = any(${[...new Set(scheduleIds)]}::text[])`.execute(trx);
  return new Map(rows.map(({ id, ...schedule }) => [id, schedule]));
}

export function storedScheduleOf(schedules: ReadonlyMap<string, StoredSchedule>, scheduleId: string): StoredSchedule {
  const found = schedules.get(scheduleId);
  if (found === undefined) throw new Error('a schedule has no row');
  return found;
}

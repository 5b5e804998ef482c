import { sql, type Transaction } from 'kysely';
import type { UnixMs } from '../../../machines/index.ts';
import { type MerchantNotice, notifyMerchantUsers } from '../../mail/index.ts';
import { raiseOperatorAlerts } from '../../payments/index.ts';
import { type Database, settleAll } from '../../platform/db/index.ts';
import { derivedId } from '../../platform/ids.ts';
import { paidTwiceEmail } from '../email-templates/paid-twice.ts';
import { requestedOf, type ScheduleStep } from '../schedule-step.ts';
import { type StoredSchedule, storedScheduleOf } from './stored-schedules.ts';

/** A completed payment of a period that was paid before. */
export interface ExcessPayment {
  readonly transactionId: string;
  readonly scheduleId: string;
  readonly periodNo: number;
  readonly at: UnixMs;
}

/** Reports the excess payments of these steps. */
export async function reportExcessOfSteps(
  trx: Transaction<Database>,
  steps: readonly ScheduleStep[],
  schedules: ReadonlyMap<string, StoredSchedule>,
): Promise<void> {
  const excess = requestedOf(steps, 'noteExcess').map(({ step: { actorId: scheduleId, at }, params }) => {
    return { ...params, scheduleId, at };
  });
  await reportExcess(trx, excess, schedules);
}

/**
 * Marks payments of periods that were already paid. Notifies the operators and the merchant, who
 * owes the customer the excess, unless they are test payments.
 */
export async function reportExcess(
  trx: Transaction<Database>,
  excess: readonly ExcessPayment[],
  schedules: ReadonlyMap<string, StoredSchedule>,
): Promise<void> {
  if (excess.length === 0) return;
  const ids = excess.map(({ transactionId }) => transactionId);
  const live = excess.filter(({ scheduleId }) => storedScheduleOf(schedules, scheduleId).mode === 'live');
  const lostOf = await readLostPayments(trx, live);
  await settleAll([
    sql`update schedule_attempt set is_excess = true where transaction_id = any(${ids}::text[])`.execute(trx),
    raiseOperatorAlerts(
      trx,
      live.map(({ transactionId, scheduleId, periodNo }) => ({
        actorId: transactionId,
        mode: 'live' as const,
        alert: 'period_paid_twice',
        detail: `Period ${periodNo} of schedule ${scheduleId} was already paid: this payment is a duplicate`,
      })),
    ),
    notifyMerchantUsers(
      trx,
      live.map((each) => noticeOf(each, storedScheduleOf(schedules, each.scheduleId), lostOf(each))),
    ),
  ]);
}

// Helpers

/** Finds the payment that paid the period before, if its coins have left the network since. */
async function readLostPayments(
  trx: Transaction<Database>,
  excess: readonly ExcessPayment[],
): Promise<(each: ExcessPayment) => string | null> {
  if (excess.length === 0) return () => null;
  const ids = excess.map(({ scheduleId }) => scheduleId);
  const { rows } = await sql<{ schedule_id: string; period_no: number; id: string }>`
    select schedule_id, period_no, id
    from schedule_period join transaction_status on transaction_status.id = schedule_period.transaction_id
    where schedule_id = any(${ids}::text[]) and loss = 'gone'`.execute(trx);
  return ({ scheduleId, periodNo }) =>
    rows.find((row) => row.schedule_id === scheduleId && row.period_no === periodNo)?.id ?? null;
}

function noticeOf(
  { transactionId, scheduleId, periodNo, at }: ExcessPayment,
  { merchantId, reference }: StoredSchedule,
  lostTransactionId: string | null,
): MerchantNotice {
  return {
    id: derivedId('ntc', 'period_paid_twice', transactionId),
    merchantId,
    setting: 'mailNeedsAttention',
    content: paidTwiceEmail({ transactionId, scheduleId, reference, periodNo, lostTransactionId }),
    at,
  };
}

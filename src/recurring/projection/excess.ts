import { sql, type Transaction } from 'kysely';
import { type Database, together } from '../../db/index.ts';
import { derivedId } from '../../ids.ts';
import { tellMerchant } from '../../mail/index.ts';
import { raiseOperatorAlerts } from '../../payments/index.ts';
import { type Asked, askedOf, type ScheduleStep } from '../schedule-step.ts';
import { factsOf, type ScheduleFacts } from './facts.ts';

/**
 * Marks payments of periods that were already paid, and notifies the merchant, who owes the
 * customer the excess.
 */
export async function noteExcess(
  trx: Transaction<Database>,
  steps: readonly ScheduleStep[],
  facts: ReadonlyMap<string, ScheduleFacts>,
): Promise<void> {
  const excess = askedOf(steps, 'noteExcess');
  if (excess.length === 0) return;
  const ids = excess.map(({ params }) => params.transactionId);
  await together([
    sql`update schedule_attempt set is_excess = true where transaction_id = any(${ids}::text[])`.execute(trx),
    raiseOperatorAlerts(
      trx,
      excess.map(({ step, params: { periodNo, transactionId } }) => ({
        actorId: transactionId,
        alert: 'period_paid_twice',
        detail: `Period ${periodNo} of schedule ${step.actorId} was paid before: this payment is one too many`,
      })),
    ),
    ...excess.map((each) => tellMerchant(trx, noticeOf(each, factsOf(facts, each.step.actorId)))),
  ]);
}

// Helpers

function noticeOf({ step, params }: Asked<'noteExcess'>, { merchantId, reference }: ScheduleFacts) {
  const { periodNo, transactionId } = params;
  return {
    id: derivedId('ntc', 'period_paid_twice', transactionId),
    merchantId,
    kind: 'period_paid_twice',
    subjectId: transactionId,
    data: { schedule_id: step.actorId, period_no: periodNo },
    letter: {
      subject: 'A recurring payment was made twice',
      blocks: [
        {
          kind: 'paragraph',
          text: 'A customer has paid one period of a recurring payment request twice. The second payment is yours to give back, or to agree on with the customer: nothing is asked for less because of it.',
        },
        {
          kind: 'facts',
          facts: [
            ['Payment', transactionId],
            ['Schedule', step.actorId],
            ...(reference === null ? [] : [['Reference', reference] as const]),
            ['Period', String(periodNo)],
          ],
        },
      ],
    },
    at: step.at,
  } as const;
}

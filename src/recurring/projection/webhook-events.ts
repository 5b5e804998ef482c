import type { Transaction } from 'kysely';
import { scheduleStatusOf } from '../../../machines/index.ts';
import type { Database } from '../../db/index.ts';
import { insertWebhookEvents, webhookEventId } from '../../webhooks/index.ts';
import { askedOf, type ScheduleStep } from '../schedule-step.ts';
import { recurringEventBody } from '../webhook-body.ts';
import { factsOf, type ScheduleFacts } from './facts.ts';

/** Freezes the bytes of every notification in the commit of the moment it tells about. */
export async function saveWebhookEvents(
  trx: Transaction<Database>,
  steps: readonly ScheduleStep[],
  facts: ReadonlyMap<string, ScheduleFacts>,
): Promise<void> {
  const events = askedOf(steps, 'notifyMerchant').map(({ step, params: notification }) => {
    const { actorId, at, context, state } = step;
    const id = webhookEventId(actorId, notification);
    const schedule = factsOf(facts, actorId);
    const status = scheduleStatusOf(state, context);
    const { interval } = context;
    return {
      id,
      merchantId: schedule.merchantId,
      transactionId: notification.event === 'recurring.payment.completed' ? notification.transactionId : null,
      event: notification.event,
      body: recurringEventBody({
        id,
        at,
        scheduleId: actorId,
        schedule: { ...schedule, interval },
        status,
        notification,
      }),
      createdAt: at,
    };
  });
  await insertWebhookEvents(trx, events);
}

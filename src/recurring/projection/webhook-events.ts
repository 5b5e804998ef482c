import type { Transaction } from 'kysely';
import { scheduleStatusOf, type UnixMs } from '../../../machines/index.ts';
import type { Database } from '../../platform/db/index.ts';
import type { Hint } from '../../platform/engine/index.ts';
import { raiseWebhookEvents, webhookEventId } from '../../webhooks/index.ts';
import { requestedOf, type ScheduleStep } from '../schedule-step.ts';
import { recurringEventBody } from '../webhook-body.ts';
import { type StoredSchedule, storedScheduleOf } from './stored-schedules.ts';

/**
 * Raises every webhook event in the commit of the step that causes it. `now` is
 * wall-clock time: the clock of a test schedule may be years ahead, and an event stored under that
 * time would be out of reach of replays until then.
 */
export async function saveWebhookEvents(
  trx: Transaction<Database>,
  steps: readonly ScheduleStep[],
  { schedules, now }: { readonly schedules: ReadonlyMap<string, StoredSchedule>; readonly now: () => UnixMs },
): Promise<Hint[]> {
  const createdAt = now();
  const events = requestedOf(steps, 'notifyMerchant').map(({ step, params: notification }) => {
    const { actorId, at, context, state } = step;
    const id = webhookEventId(actorId, notification);
    const schedule = storedScheduleOf(schedules, actorId);
    const status = scheduleStatusOf(state, context);
    const { interval } = context;
    return {
      id,
      actorId,
      merchantId: schedule.merchantId,
      transactionId: notification.event === 'recurring.payment.completed' ? notification.transactionId : null,
      event: notification.event,
      mode: schedule.mode,
      body: recurringEventBody({
        id,
        at,
        scheduleId: actorId,
        schedule: { ...schedule, interval },
        status,
        notification,
      }),
      createdAt,
    };
  });
  return raiseWebhookEvents(trx, events);
}

import type { TransactionContext } from '../../machines/index.ts';
import { actorQueue, type Consequence, type EventCommand } from '../platform/engine/index.ts';

/**
 * Notifies a schedule that a payment of one of its periods is completed: by the chain, late, or by
 * the merchant's decision. The message is part of the commit that completes the payment; its event
 * id is derived from the payment, so redelivery has no effect.
 */
export function notifySchedule({ schedule, transactionId }: TransactionContext): readonly Consequence[] {
  if (schedule === undefined) return [];
  const { scheduleId, periodNo } = schedule;
  const command: EventCommand = {
    actorId: scheduleId,
    eventId: `payment:${transactionId}`,
    event: { type: 'payment.completed', periodNo, transactionId },
  };
  return [{ kind: 'message', queue: actorQueue('schedule'), key: scheduleId, data: command }];
}

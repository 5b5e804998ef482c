import type { TransactionContext } from '../../machines/index.ts';
import { actorQueue, type Consequence, type EventCommand } from '../engine/index.ts';

/**
 * Tells a schedule that a payment of one of its periods is completed: by the chain, late, or by the merchant's word. Leaves
 * with the commit that completes the payment; the event is named by the payment, so it counts once however often it comes.
 */
export function announceCompleted({ schedule, transactionId }: TransactionContext): readonly Consequence[] {
  if (schedule === undefined) return [];
  const { scheduleId, periodNo } = schedule;
  const command: EventCommand = {
    actorId: scheduleId,
    eventId: `payment:${transactionId}`,
    event: { type: 'payment.completed', periodNo, transactionId },
  };
  return [{ kind: 'message', queue: actorQueue('schedule'), key: scheduleId, data: command }];
}

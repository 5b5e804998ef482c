import { type DeliveryEffects, deliveryMachine } from '../../machines/index.ts';
import { settleAll } from '../platform/db/index.ts';
import { type ActorKind, defineKind, type Step } from '../platform/engine/index.ts';
import { projectHealth } from './health/project-health.ts';
import { projectDeliveries } from './project-deliveries.ts';
import { SEND_QUEUE, type SendMessage } from './send-message.ts';
import { type AttemptRecord, insertAttempts } from './sender/attempt-log.ts';

/**
 * Actor kind of a delivery: maps the effects of its chart to messages and timers. Its timers depend
 * on the time alone.
 */
export function createDeliveryKind(): ActorKind {
  return defineKind<DeliveryEffects>()({
    machine: deliveryMachine,
    async project(trx, steps) {
      await settleAll([
        projectDeliveries(trx, steps),
        projectHealth(trx, steps),
        insertAttempts(trx, attemptsOf(steps)),
      ]);
    },
    effects: {
      sendAttempt: ({ attempt, isRequested, isOverdue = false }, { context }) => {
        const { deliveryId, endpointId } = context;
        const data: SendMessage = { deliveryId, endpointId, attempt, isRequested, isOverdue };
        return [{ kind: 'message', queue: SEND_QUEUE, key: deliveryId, data }];
      },
      startTimer: ({ timer, dueAt }) => [{ kind: 'timer', name: timer, dueAt, gate: null }],
      cancelTimer: ({ timer }) => [{ kind: 'cancelTimer', name: timer }],
    },
  });
}

// Helpers

/** Attempts that arrive with a start; the sender logs the others. */
function attemptsOf(steps: readonly Pick<Step, 'attachment'>[]): AttemptRecord[] {
  return steps.flatMap(({ attachment }) => (attachment === null ? [] : [attachment as AttemptRecord]));
}

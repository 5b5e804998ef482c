import { describe, expect, test } from 'vitest';
import { initialTransition, transition } from 'xstate';
import { DAY_MS, type ScheduleEvent, type ScheduleNotification, scheduleMachine } from '../../machines/index.ts';
import { webhookEventId } from '../../src/webhooks/index.ts';

const SCHEDULE_ID = '0b8f4f8e-4b0e-4c1e-9f39-7a0a3c1d9f10';
const CREATED_AT = Date.UTC(2026, 0, 1);
const SECOND_DUE_AT = Date.UTC(2026, 1, 1);

/** Period 1 is unpaid, and period 2 is requested. */
const BACKED_UP: readonly ScheduleEvent[] = [
  { type: 'customer.confirmed', at: CREATED_AT },
  { type: 'timer.unpaid_due', at: CREATED_AT + 7 * DAY_MS, dueAt: CREATED_AT + 7 * DAY_MS },
  { type: 'timer.period_due', at: SECOND_DUE_AT, dueAt: SECOND_DUE_AT },
];
const at = SECOND_DUE_AT + DAY_MS;

describe('after a restore, the next event of a schedule', () => {
  test('has another id if another period was paid', () => {
    // The lost copy opened this late payment of period 1 after the backup.
    const lost = nextEvent({ type: 'payment.completed', at, periodNo: 1, transactionId: 'txn_a' });
    const restored = nextEvent({ type: 'payment.completed', at, periodNo: 2, transactionId: 'txn_b' });
    expect(restored.sequence).toBe(lost.sequence);
    expect(idOf(restored)).not.toBe(idOf(lost));
  });

  test('has another id if another payment paid the period', () => {
    const lost = nextEvent({ type: 'payment.completed', at, periodNo: 2, transactionId: 'txn_a' });
    const restored = nextEvent({ type: 'payment.completed', at, periodNo: 2, transactionId: 'txn_b' });
    expect(idOf(restored)).not.toBe(idOf(lost));
  });

  test('has another id if it stopped for another reason', () => {
    const lost = nextEvent({ type: 'customer.stopped', at });
    const restored = nextEvent({ type: 'mail.bounced', at });
    expect(restored.sequence).toBe(lost.sequence);
    expect(idOf(restored)).not.toBe(idOf(lost));
  });

  test('has another id if another period is unpaid', () => {
    const unpaid = { event: 'recurring.payment.unpaid', sequence: 3 } as const;
    expect(idOf({ ...unpaid, periodNo: 1 })).not.toBe(idOf({ ...unpaid, periodNo: 2 }));
  });

  test('keeps its id if the same happens again, whenever that is', () => {
    const paid = { type: 'payment.completed', periodNo: 2, transactionId: 'txn_b' } as const;
    expect(idOf(nextEvent({ ...paid, at: at + DAY_MS }))).toBe(idOf(nextEvent({ ...paid, at })));
    expect(idOf(nextEvent({ type: 'mail.bounced', at: at + DAY_MS }))).toBe(
      idOf(nextEvent({ type: 'mail.bounced', at })),
    );
  });
});

// Helpers

/** The webhook event that this event of the backed up schedule causes. */
function nextEvent(event: ScheduleEvent): ScheduleNotification {
  const terms = { scheduleId: SCHEDULE_ID, interval: 'monthly', startAt: null, maxPeriods: null } as const;
  let [snapshot, effects] = initialTransition(scheduleMachine, { ...terms, createdAt: CREATED_AT });
  for (const each of [...BACKED_UP, event]) [snapshot, effects] = transition(scheduleMachine, snapshot, each);
  const notified = effects.find(({ type }) => type === 'notifyMerchant');
  if (notified === undefined) throw new Error('the chart caused no webhook event');
  return notified.params as ScheduleNotification;
}

function idOf(notification: ScheduleNotification): string {
  return webhookEventId(SCHEDULE_ID, notification);
}

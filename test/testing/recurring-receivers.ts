import type { ScheduleStatus } from '../../machines/index.ts';
import { verifyWebhook, WebhookError, type WebhookEvent } from '../../src/client/index.ts';
import type { RecurringReceiverUnderTest } from '../../src/testing/index.ts';

/** One way to mishandle recurring events, as real shops do. */
export type RecurringMistake =
  | 'counts_repeats'
  | 'counts_its_payments_as_well'
  | 'believes_the_last_to_come'
  | 'forgets_late_payments'
  | 'gives_up_what_was_paid'
  | 'credits_nothing_after_the_end'
  | 'credits_the_newest_period'
  | 'ignores_the_signature'
  | 'waits_between_looking_and_writing';

interface Known {
  sequence: number;
  status: ScheduleStatus;
  readonly credited: Map<number, number>;
  readonly unpaid: Set<number>;
}

/** A receiver that is correct except for one mistake, or without any when null. */
export function createRecurringReceiver(secret: string, mistake: RecurringMistake | null): RecurringReceiverUnderTest {
  const seen = new Set<string>();
  const schedules = new Map<string, Known>();

  function read(rawBody: Buffer, headers: Readonly<Record<string, string>>): Payload {
    const event: WebhookEvent =
      mistake === 'ignores_the_signature'
        ? JSON.parse(rawBody.toString())
        : verifyWebhook(rawBody, headers, secret, { mode: 'live' });
    // Absent fields are undefined, and read only for events that have them.
    return event as unknown as Payload;
  }

  function credit({ credited, unpaid }: Known, period: number): void {
    credited.set(period, (credited.get(period) ?? 0) + 1);
    unpaid.delete(period);
  }

  function take(payload: Payload): void {
    if (payload.event.startsWith('payment.')) {
      const { schedule_id: scheduleId, period_no: period } = payload.metadata ?? {};
      const known = scheduleId === undefined ? undefined : schedules.get(scheduleId);
      if (mistake !== 'counts_its_payments_as_well' || payload.event !== 'payment.completed') return;
      if (known !== undefined && period !== undefined) credit(known, period);
      return;
    }
    const { event, sequence, status, period_no: period = 0 } = payload;
    const known = schedules.get(payload.schedule_id) ?? { sequence: 0, status, credited: new Map(), unpaid: new Set() };
    schedules.set(payload.schedule_id, known);
    const isEnded = known.status !== 'active' && known.status !== 'paused' && known.sequence > 0;
    if (sequence > known.sequence || mistake === 'believes_the_last_to_come')
      Object.assign(known, { sequence, status });
    if (event === 'recurring.payment.unpaid') {
      if (!known.credited.has(period) || mistake === 'gives_up_what_was_paid') known.unpaid.add(period);
    }
    if (event !== 'recurring.payment.completed') return;
    if (mistake === 'forgets_late_payments' && known.unpaid.has(period)) return;
    if (mistake === 'credits_nothing_after_the_end' && isEnded) return;
    credit(known, mistake === 'credits_the_newest_period' ? Math.max(period, ...known.unpaid) : period);
  }

  return {
    async receive({ rawBody, headers }) {
      try {
        const payload = read(rawBody, headers);
        if (seen.has(payload.id) && mistake !== 'counts_repeats') return 204;
        if (mistake === 'waits_between_looking_and_writing') await new Promise((resolve) => setImmediate(resolve));
        seen.add(payload.id);
        take(payload);
        return 204;
      } catch (error) {
        if (error instanceof WebhookError) return 400;
        throw error;
      }
    },
    scheduleOutcomeOf(scheduleId) {
      const known = schedules.get(scheduleId);
      if (known === undefined) return null;
      const { status, credited, unpaid } = known;
      return { status, credited: Object.fromEntries(credited), unpaid: [...unpaid].sort((a, b) => a - b) };
    },
  };
}

// Helpers

interface Payload {
  readonly id: string;
  readonly event: string;
  readonly sequence: number;
  readonly status: ScheduleStatus;
  readonly schedule_id: string;
  readonly period_no?: number;
  readonly metadata?: { readonly schedule_id?: string; readonly period_no?: number };
}

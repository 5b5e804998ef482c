import {
  DAY_MS,
  PAYABLE_AFTER_END_MS,
  publicStateOf,
  type ScheduleTimer,
  SECOND_MS,
  type UnixMs,
} from '../../../machines/index.ts';
import { assertNever } from '../../platform/errors.ts';
import type { PaymentActor } from '../actor.ts';
import { createPaymentSimulation, type PaymentSimulation } from '../payment-simulation.ts';
import type { ScheduleActor } from './schedule-actor.ts';

/**
 * Actions of a customer, the clock, a merchant and a mail server. One that does not apply has no
 * effect.
 */
export type ScheduleStep =
  | { readonly act: 'confirm' | 'stop' | 'bounce' | 'pause' | 'resume' | 'cancel' }
  /** Time passes. During an outage nothing runs; what became due happens at its end. */
  | { readonly act: 'wait' | 'outage'; readonly days: number }
  /** Time passes until the next period is due. */
  | { readonly act: 'wait_for_next' }
  /** The customer pays the awaited period, or the oldest one given up. */
  | {
      readonly act: 'pay';
      readonly period: 'awaited' | 'given_up';
      /** The customer opens two payments and pays both. */
      readonly isTwice: boolean;
      /** What happens while the payment is confirming. */
      readonly meanwhile: 'nothing' | 'stop' | 'pause' | 'cancel';
    }
  /** The customer opens a payment and does not pay it. */
  | { readonly act: 'let_expire' };

export interface ScheduleSimulation {
  take(step: ScheduleStep): void;
}

/** Applies one step and all its consequences. `open` starts a payment for a period. */
export function createScheduleSimulation(
  actor: ScheduleActor,
  open: (periodNo: number, at: UnixMs) => PaymentActor,
): ScheduleSimulation {
  let now = actor.context.createdAt;

  /** The earliest timer due by `until`. */
  function nextTimer(until: UnixMs): readonly [ScheduleTimer, UnixMs] | undefined {
    return [...actor.timers].filter(([, dueAt]) => dueAt <= until).sort((a, b) => a[1] - b[1])[0];
  }

  /** Each timer fires at its own time, or at the end of an outage. */
  function passTo(moment: UnixMs, { isOutage = false } = {}): void {
    for (let next = nextTimer(moment); next !== undefined; next = nextTimer(moment)) {
      const [timer, dueAt] = next;
      now = Math.max(now, isOutage ? moment : dueAt);
      actor.send({ type: `timer.${timer}`, at: now, dueAt });
    }
    now = Math.max(now, moment);
  }

  /**
   * The link of a period works until the request is ended early, and for a limited time after its
   * last period.
   */
  function payablePeriod(period: 'awaited' | 'given_up'): number | undefined {
    const { current, unpaid, endedAs, endedAt } = actor.context;
    const isOver = endedAs !== 'finished' || now >= (endedAt ?? now) + PAYABLE_AFTER_END_MS;
    if (endedAs !== null && isOver) return undefined;
    return period === 'awaited' ? current?.periodNo : unpaid[0];
  }

  function pay({ period, isTwice, meanwhile }: Extract<ScheduleStep, { act: 'pay' }>): void {
    const periodNo = payablePeriod(period);
    if (periodNo === undefined) return;
    const payments = (isTwice ? [1, 2] : [1]).map(() => startPayment(periodNo));
    for (const { simulation } of payments) takeTo(simulation, { act: 'pay', what: 'rest' });
    if (meanwhile !== 'nothing') act({ act: meanwhile });
    for (const { simulation, payment } of payments) {
      takeTo(simulation, { act: 'confirm_deeply' });
      if (publicStateOf(payment.state).status !== 'completed') continue;
      const { transactionId } = payment.context;
      actor.send({ type: 'payment.completed', at: now, periodNo, transactionId });
    }
  }

  function letExpire(): void {
    const periodNo = payablePeriod('awaited');
    if (periodNo !== undefined) takeTo(startPayment(periodNo).simulation, { act: 'close' });
  }

  function startPayment(periodNo: number): { readonly payment: PaymentActor; readonly simulation: PaymentSimulation } {
    const payment = open(periodNo, now);
    return { payment, simulation: createPaymentSimulation(payment) };
  }

  /** Time that passes for a payment also passes for its request. */
  function takeTo(simulation: PaymentSimulation, step: Parameters<PaymentSimulation['take']>[0]): void {
    simulation.take(step);
    passTo(simulation.now);
  }

  function act(step: ScheduleStep): void {
    switch (step.act) {
      case 'confirm':
      case 'stop':
      case 'bounce':
      case 'pause':
      case 'resume':
      case 'cancel':
        actor.send({ type: EVENTS[step.act], at: now });
        break;
      case 'wait':
        passTo(now + step.days * DAY_MS);
        break;
      case 'outage':
        passTo(now + step.days * DAY_MS, { isOutage: true });
        break;
      case 'wait_for_next':
        passTo(Math.max(now, actor.timers.get('period_due') ?? now));
        break;
      case 'pay':
        pay(step);
        break;
      case 'let_expire':
        letExpire();
        break;
      default:
        assertNever(step, 'step');
    }
  }

  return {
    take(step) {
      passTo(now + SECOND_MS);
      act(step);
    },
  };
}

// Helpers

const EVENTS = {
  confirm: 'customer.confirmed',
  stop: 'customer.stopped',
  bounce: 'mail.bounced',
  pause: 'merchant.paused',
  resume: 'merchant.resumed',
  cancel: 'merchant.cancelled',
} as const;

import {
  DAY_MS,
  PAYABLE_AFTER_END_MS,
  publicStateOf,
  type ScheduleTimer,
  type UnixMs,
} from '../../../machines/index.ts';
import { assertNever } from '../../errors.ts';
import type { PaymentActor } from '../actor.ts';
import { createWorld, type World } from '../world.ts';
import type { ScheduleActor } from './schedule-actor.ts';

/** What a customer, the clock, a merchant and a mail server can do. What does not apply just then does not happen. */
export type ScheduleStep =
  | { readonly act: 'confirm' | 'stop' | 'bounce' | 'pause' | 'resume' | 'cancel' }
  /** Time passes. In an outage nothing runs until it is over: what was due happens then. */
  | { readonly act: 'wait' | 'outage'; readonly days: number }
  /** Until the next period is due. */
  | { readonly act: 'wait_for_next' }
  /** The customer pays the period that is awaited, or the oldest that was given up. */
  | {
      readonly act: 'pay';
      readonly period: 'awaited' | 'given_up';
      /** The customer has opened two payments and pays both. */
      readonly isTwice: boolean;
      /** What happens while the network confirms the payment. */
      readonly meanwhile: 'nothing' | 'stop' | 'pause' | 'cancel';
    }
  /** The customer opens a payment and does not pay it. */
  | { readonly act: 'let_expire' };

export interface ScheduleWorld {
  take(step: ScheduleStep): void;
}

const SECOND_MS = 1_000;

/** Lets one thing happen and everything that follows from it. `open` starts a payment of a period. */
export function createScheduleWorld(
  actor: ScheduleActor,
  open: (periodNo: number, at: UnixMs) => PaymentActor,
): ScheduleWorld {
  let now = actor.context.createdAt;

  /** The earliest timer that is due by then. */
  function nextTimer(until: UnixMs): readonly [ScheduleTimer, UnixMs] | undefined {
    return [...actor.timers].filter(([, dueAt]) => dueAt <= until).sort((a, b) => a[1] - b[1])[0];
  }

  /** Each timer fires at its own time, or, when nothing ran until then, at the end. */
  function passTo(moment: UnixMs, { isOutage = false } = {}): void {
    for (let next = nextTimer(moment); next !== undefined; next = nextTimer(moment)) {
      const [timer, dueAt] = next;
      now = Math.max(now, isOutage ? moment : dueAt);
      actor.send({ type: `timer.${timer}`, at: now, dueAt });
    }
    now = Math.max(now, moment);
  }

  /** The link of a period works until somebody ends the request, and for a while after its last period has come and gone. */
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
    for (const { world } of payments) takeTo(world, { act: 'pay', what: 'rest' });
    if (meanwhile !== 'nothing') act({ act: meanwhile });
    for (const { world, payment } of payments) {
      takeTo(world, { act: 'bury' });
      if (publicStateOf(payment.state).status !== 'completed') continue;
      const { transactionId } = payment.context;
      actor.send({ type: 'payment.completed', at: now, periodNo, transactionId });
    }
  }

  function letExpire(): void {
    const periodNo = payablePeriod('awaited');
    if (periodNo !== undefined) takeTo(startPayment(periodNo).world, { act: 'close' });
  }

  function startPayment(periodNo: number): { readonly payment: PaymentActor; readonly world: World } {
    const payment = open(periodNo, now);
    return { payment, world: createWorld(payment) };
  }

  /** The time that passes for a payment passes for its request as well. */
  function takeTo(world: World, step: Parameters<World['take']>[0]): void {
    world.take(step);
    passTo(world.now);
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

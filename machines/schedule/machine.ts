import { actions } from './actions.ts';
import { scheduleEffects } from './setup.ts';

/**
 * A recurring payment request: weekly, monthly, quarterly or yearly, until it is ended.
 *
 * - unconfirmed        awaits the customer's confirmation; that, a bounce, a stop or 7 days end it
 * - active.waiting     no payment is awaited; the next due date ends it
 * - active.awaiting    the newest period was requested; its payment or its timeout ends it
 * - paused             the merchant paused it; periods requested before can still be paid, and the
 *                      last of them ends it
 * - ended…             it was ended, or its last period has passed; payments for it still count
 * - forgotten          no payment for it can still be in progress
 */
export const scheduleMachine = scheduleEffects.extend({ actions }).createMachine({
  id: 'schedule',
  version: '1',
  options: { maxIterations: 100 },
  context: ({ input }) => ({
    ...input,
    anchor: null,
    lastPeriodNo: 0,
    current: null,
    unpaid: [],
    timers: {},
    confirmationsSent: 0,
    sequence: 0,
    endedAs: null,
    endedAt: null,
  }),
  initial: 'unconfirmed',
  on: {
    'payment.completed': [
      {
        guard: 'isLateForUnpaid',
        actions: ['settlePaid', 'notifyPaid'],
        description: 'A payment for an unpaid period counts, regardless of the state of the schedule.',
      },
      {
        guard: 'isForPaidPeriod',
        actions: 'reportExcess',
        description:
          'The customer has paid one period twice. Later requests stay the same; the merchant must refund it.',
      },
    ],
    'customer.stopped': { target: '.ended.stoppedByCustomer' },
    'mail.bounced': { target: '.ended.bounced' },
    'merchant.cancelled': { target: '.ended.cancelled' },
  },
  states: {
    unconfirmed: {
      description: 'The customer received a confirmation email.',
      meta: { publicStatus: 'pending_confirmation', waitsFor: 'the customer' },
      entry: 'askForConfirmation',
      exit: 'stopAwaitingConfirmation',
      on: {
        'customer.confirmed': { target: 'active', actions: ['setAnchor', 'notifyConfirmed'] },
        'merchant.confirmation_resent': { guard: 'mayResendConfirmation', actions: 'resendConfirmation' },
        'timer.confirmation_expired': { guard: 'isRunningTimer', target: 'ended.expiredUnconfirmed' },
      },
    },
    active: {
      description: 'The customer has agreed. Every period is requested when it is due.',
      meta: { publicStatus: 'active' },
      initial: 'waiting',
      entry: ['requestNewestDue', 'awaitNextPeriod', 'followCurrent'],
      on: {
        'merchant.paused': [
          {
            guard: 'hasPeriodDue',
            target: 'paused',
            actions: ['settleUnpaid', 'requestNewestDue', 'followCurrent'],
            description: 'A period is already due but its timer has not fired yet: it is requested as if it had.',
          },
          { target: 'paused' },
        ],
        'timer.period_due': {
          guard: 'isRunningTimer',
          target: '.waiting',
          actions: ['settleUnpaid', 'requestNewestDue', 'awaitNextPeriod', 'followCurrent'],
          description: 'The newest due period is requested; the previous one has ended.',
        },
      },
      states: {
        waiting: {
          description: 'No payment is due now.',
          meta: { waitsFor: 'the next due date' },
          always: [
            { guard: 'hasCurrent', target: 'awaiting' },
            { guard: 'hasNoPeriodLeft', target: '#schedule.ended.finished' },
          ],
        },
        awaiting: {
          description: 'A period was requested and can be paid through its link.',
          meta: { waitsFor: 'the customer' },
          on: {
            'payment.completed': {
              guard: 'isAwaited',
              target: 'waiting',
              actions: ['settlePaid', 'notifyPaid', 'followCurrent'],
            },
            'timer.reminder_due': { guard: 'isRunningTimer', actions: ['remind', 'awaitNextReminder'] },
            'timer.unpaid_due': {
              guard: 'isRunningTimer',
              target: 'waiting',
              actions: ['settleUnpaid', 'followCurrent'],
            },
          },
        },
      },
    },
    paused: {
      description: 'No request and no reminder is sent until the merchant resumes.',
      meta: { publicStatus: 'paused', waitsFor: 'the merchant' },
      entry: ['stopAwaitingPeriods', 'stopReminding'],
      always: { guard: 'hasNoPeriodLeft', target: 'ended.finished' },
      on: {
        'merchant.resumed': { target: 'active', actions: 'skipMissed' },
        'payment.completed': { guard: 'isAwaited', actions: ['settlePaid', 'notifyPaid', 'followCurrent'] },
        'timer.unpaid_due': { guard: 'isRunningTimer', actions: ['settleUnpaid', 'followCurrent'] },
      },
    },
    ended: {
      description: 'No more requests are sent. Payments in progress still count.',
      meta: { waitsFor: 'late payments' },
      on: {
        'timer.forgotten': { guard: 'isRunningTimer', target: 'forgotten' },
        // A schedule ends once; the first reason is kept.
        'customer.stopped': {},
        'mail.bounced': {},
        'merchant.cancelled': {},
      },
      initial: 'cancelled',
      states: {
        cancelled: {
          description: 'The merchant cancelled it.',
          meta: { publicStatus: 'cancelled' },
          entry: 'endAsCancelled',
        },
        stoppedByCustomer: {
          description: 'The customer stopped it.',
          meta: { publicStatus: 'stopped_by_customer' },
          entry: 'endAsStopped',
        },
        bounced: {
          description: 'Emails to the customer bounce.',
          meta: { publicStatus: 'bounced' },
          entry: 'endAsBounced',
        },
        expiredUnconfirmed: {
          description: 'The customer did not confirm.',
          meta: { publicStatus: 'expired_unconfirmed' },
          entry: 'endAsUnconfirmed',
        },
        finished: {
          description: 'All periods are over. The API shows `cancelled`, reason `finished`.',
          meta: { publicStatus: 'cancelled' },
          entry: 'endAsFinished',
        },
      },
    },
    forgotten: {
      type: 'final',
      description: 'Closed: no payment can arrive any more. The context keeps how it ended.',
    },
  },
});

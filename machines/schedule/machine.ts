import { actions } from './actions.ts';
import { scheduleEffects } from './setup.ts';

/**
 * A recurring payment request: weekly, monthly, quarterly or yearly, until it is ended.
 *
 * - unconfirmed        the customer was asked; a confirmation, a bounce, a stop or 7 days end it
 * - active.waiting     no payment is awaited; the next due date ends it
 * - active.awaiting    the newest period was requested; its payment or its timeout ends it
 * - paused             the merchant paused it; periods requested before can still be paid, and the
 *                      last of them ends it
 * - ended…             it was ended, or its last period is over; payments for it still count
 * - forgotten          no payment for it can be in progress any more
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
        description: 'Money for a period that had been given up counts, whatever has become of the schedule.',
      },
      {
        guard: 'isForPaidPeriod',
        actions: 'reportExcess',
        description:
          'The customer has paid one period twice. Nothing is asked for less; the merchant has to refund it.',
      },
    ],
    'customer.stopped': { target: '.ended.stoppedByCustomer' },
    'mail.bounced': { target: '.ended.bounced' },
    'merchant.cancelled': { target: '.ended.cancelled' },
  },
  states: {
    unconfirmed: {
      description: 'The customer was asked by mail whether they want this.',
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
            description:
              'A period came due before, and its timer is still on its way: it is requested as if that had fired.',
          },
          { target: 'paused' },
        ],
        'timer.period_due': {
          guard: 'isRunningTimer',
          target: '.waiting',
          actions: ['settleUnpaid', 'requestNewestDue', 'awaitNextPeriod', 'followCurrent'],
          description: 'The newest due period is requested; the one before it has had its time.',
        },
      },
      states: {
        waiting: {
          description: 'Nothing is to be paid now.',
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
            'timer.reminder_due': { guard: 'isRunningTimer', actions: ['remind', 'followCurrent'] },
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
      description: 'Nothing is requested any more. Payments in progress still count.',
      meta: { waitsFor: 'late payments' },
      on: {
        'timer.forgotten': { guard: 'isRunningTimer', target: 'forgotten' },
        // A schedule ends once; the first reason stands.
        'customer.stopped': {},
        'mail.bounced': {},
        'merchant.cancelled': {},
      },
      initial: 'cancelled',
      states: {
        cancelled: {
          description: 'The merchant has ended it.',
          meta: { publicStatus: 'cancelled' },
          entry: 'endAsCancelled',
        },
        stoppedByCustomer: {
          description: 'The customer has ended it.',
          meta: { publicStatus: 'stopped_by_customer' },
          entry: 'endAsStopped',
        },
        bounced: {
          description: 'Mail cannot reach the customer.',
          meta: { publicStatus: 'bounced' },
          entry: 'endAsBounced',
        },
        expiredUnconfirmed: {
          description: 'The customer did not answer.',
          meta: { publicStatus: 'expired_unconfirmed' },
          entry: 'endAsUnconfirmed',
        },
        finished: {
          description: 'The last period is over. Outside, its status is cancelled, with the reason finished.',
          meta: { publicStatus: 'cancelled' },
          entry: 'endAsFinished',
        },
      },
    },
    forgotten: {
      type: 'final',
      description: 'No payment of it can be in progress; its end is in the context.',
    },
  },
});

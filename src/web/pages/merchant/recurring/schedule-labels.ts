import type {
  IntervalName,
  PeriodStatusName,
  ScheduleInfo,
  ScheduleMailInfo,
  ScheduleStatusName,
} from '../../../../http/console/merchant/recurring/schemas.ts';
import type { Tone } from '../../../ui/badge.tsx';
import { whenText } from './when.tsx';

export const STATUS_WORDS: Readonly<Record<ScheduleStatusName, { readonly word: string; readonly tone: Tone }>> = {
  pending_confirmation: { word: 'Waiting for consent', tone: 'info' },
  active: { word: 'Active', tone: 'good' },
  paused: { word: 'Paused', tone: 'warn' },
  cancelled: { word: 'Ended by you', tone: 'quiet' },
  stopped_by_customer: { word: 'Stopped by the customer', tone: 'quiet' },
  bounced: { word: 'Email came back', tone: 'bad' },
  expired_unconfirmed: { word: 'Never confirmed', tone: 'quiet' },
};

export const INTERVAL_WORDS: Readonly<Record<IntervalName, string>> = {
  weekly: 'every week',
  monthly: 'every month',
  quarterly: 'every three months',
  yearly: 'every year',
};

export const PERIOD_WORDS: Readonly<Record<PeriodStatusName, { readonly word: string; readonly tone: Tone }>> = {
  awaited: { word: 'Awaited', tone: 'info' },
  paid: { word: 'Paid', tone: 'good' },
  unpaid: { word: 'Not paid', tone: 'warn' },
  skipped: { word: 'Skipped', tone: 'quiet' },
};

/** A schedule's status for a badge. One that completed its last period was not cancelled. */
export function statusWord({ status, isFinished }: Pick<ScheduleInfo, 'status' | 'isFinished'>) {
  return isFinished ? ({ word: 'Finished', tone: 'quiet' } as const) : STATUS_WORDS[status];
}

/** Its status, and what happens next without any action. */
export function nextStep(schedule: ScheduleInfo): string {
  const { status, confirmBy, nextDueAt, isFinished, startAt } = schedule;
  switch (status) {
    case 'pending_confirmation':
      return `The customer was asked by email whether they want this. Nothing is requested before they press the button in it${
        startAt === null ? '' : `, nor before ${whenText(startAt)}`
      }. ${confirmBy === null ? '' : `Without a response it ends on ${whenText(confirmBy)}.`}`.trim();
    case 'active':
      return nextDueAt === null
        ? 'The last payment was requested. When it is paid, or its time is over, this ends by itself.'
        : `The next payment is requested on ${whenText(nextDueAt)}: the customer gets an email with a link to pay.`;
    case 'paused':
      return 'No requests or reminders are sent until you resume it. Payments that come due in the meantime are skipped.';
    case 'cancelled':
      return isFinished
        ? 'The last period is over. Nothing is requested any more.'
        : 'You have ended it. Nothing is requested any more.';
    case 'stopped_by_customer':
      return 'The customer has declined. Nothing is requested any more; talk to them before you create another request.';
    case 'bounced':
      return 'The mailbox of the customer does not exist, so nothing can be requested. Create another one with the right address.';
    case 'expired_unconfirmed':
      return 'The customer did not answer within seven days. Ask them, then create another one.';
  }
}

/** `Asked for consent`, `Payment of period 3 requested`, … */
export function mailWords({ kind, periodNo }: Pick<ScheduleMailInfo, 'kind' | 'periodNo'>): string {
  if (kind === 'confirmation') return 'Awaiting consent';
  return kind === 'request' ? `Payment ${periodNo} requested` : `Reminded of payment ${periodNo}`;
}

export const MAIL_STATES: Readonly<Record<ScheduleMailInfo['state'], { readonly word: string; readonly tone: Tone }>> =
  {
    queued: { word: 'On its way', tone: 'info' },
    stored: { word: 'Kept, not sent', tone: 'quiet' },
    sent: { word: 'Sent', tone: 'good' },
    failed: { word: 'Failed', tone: 'bad' },
  };

export const MAIL_FAILURES: Readonly<Record<NonNullable<ScheduleMailInfo['failedBecause']>, string>> = {
  bounced: 'There is no such mailbox.',
  refused: 'Their mail server rejects it.',
  gave_up: 'Their mail server did not answer for days.',
};

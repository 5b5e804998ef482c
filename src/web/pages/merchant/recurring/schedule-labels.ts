import type {
  IntervalName,
  PeriodStatusName,
  ScheduleEmailInfo,
  ScheduleInfo,
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
  bounced: { word: 'Email bounced', tone: 'bad' },
  expired_unconfirmed: { word: 'Never confirmed', tone: 'quiet' },
};

export const INTERVAL_WORDS: Readonly<Record<IntervalName, string>> = {
  weekly: 'every week',
  monthly: 'every month',
  quarterly: 'every three months',
  yearly: 'every year',
};

export const PERIOD_WORDS: Readonly<Record<PeriodStatusName, { readonly word: string; readonly tone: Tone }>> = {
  awaited: { word: 'Requested', tone: 'info' },
  paid: { word: 'Paid', tone: 'good' },
  unpaid: { word: 'Not paid', tone: 'warn' },
  skipped: { word: 'Skipped', tone: 'quiet' },
};

/** A schedule's status for a badge. One that completed its last period was not cancelled. */
export function statusWord({ status, isFinished }: Pick<ScheduleInfo, 'status' | 'isFinished'>) {
  return isFinished ? ({ word: 'Finished', tone: 'quiet' } as const) : STATUS_WORDS[status];
}

interface NextStepOptions {
  readonly emails: readonly Pick<ScheduleEmailInfo, 'kind' | 'state'>[];
  readonly isTest: boolean;
}

/** Its status, and what happens next without any action. */
export function nextStep(schedule: ScheduleInfo, { emails, isTest }: NextStepOptions): string {
  const { status, confirmBy, confirmedAt, nextDueAt, isFinished, startAt } = schedule;
  switch (status) {
    case 'pending_confirmation':
      return `${consentText({ emails, isTest })} Nothing is requested before they agree${
        startAt === null ? '' : `, nor before ${whenText(startAt)}`
      }. ${confirmBy === null ? '' : `Without a response it expires on ${whenText(confirmBy)}.`}`.trim();
    case 'active':
      return nextDueAt === null
        ? 'The last payment was requested. Once it is paid or its period is over, this ends automatically.'
        : `The next payment is requested on ${whenText(nextDueAt)}: the customer receives an email with a payment link.`;
    case 'paused':
      return 'No requests or reminders are sent until you resume it. Payments that fall due in the meantime are skipped.';
    case 'cancelled':
      return isFinished
        ? 'The last period is over. Nothing more is requested.'
        : 'You ended it. Nothing more is requested.';
    case 'stopped_by_customer':
      return `The customer ${
        confirmedAt === null ? 'declined' : 'stopped these requests'
      }. Nothing more is requested; contact them before you create another request.`;
    case 'bounced':
      return 'The customer’s mailbox does not exist, so nothing can be requested. Create another request with the correct address.';
    case 'expired_unconfirmed':
      return 'The customer did not respond within seven days. Contact them, then create another request.';
  }
}

function consentText({ emails, isTest }: NextStepOptions): string {
  const isStored = emails.some(({ kind, state }) => kind === 'confirmation' && state === 'stored');
  if (!isStored) return 'The customer was asked for consent by email.';
  const stored = 'The consent email was stored, not sent: the operator finds it in “Unsent emails”.';
  return isTest ? `${stored} You can simulate the customer on this page.` : stored;
}

/** `Awaiting consent`, `Payment of period 3 requested`, … */
export function emailWords({ kind, periodNo }: Pick<ScheduleEmailInfo, 'kind' | 'periodNo'>): string {
  if (kind === 'confirmation') return 'Awaiting consent';
  return kind === 'request' ? `Payment ${periodNo} requested` : `Reminder for payment ${periodNo}`;
}

export const EMAIL_STATES: Readonly<
  Record<ScheduleEmailInfo['state'], { readonly word: string; readonly tone: Tone }>
> = {
  queued: { word: 'Sending', tone: 'info' },
  stored: { word: 'Not sent', tone: 'quiet' },
  sent: { word: 'Sent', tone: 'good' },
  failed: { word: 'Failed', tone: 'bad' },
};

export const MAIL_FAILURES: Readonly<Record<NonNullable<ScheduleEmailInfo['failedBecause']>, string>> = {
  bounced: 'The mailbox does not exist.',
  refused: 'Their mail server rejects it.',
  gave_up: 'Their mail server did not respond for days.',
};

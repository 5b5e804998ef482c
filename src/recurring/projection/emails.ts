import type { Transaction } from 'kysely';
import type { UnixMs } from '../../../machines/index.ts';
import { imageAddress } from '../../images/index.ts';
import { queueEmails, renderEmail } from '../../mail/index.ts';
import { withDefaults } from '../../merchants/index.ts';
import { type Database, settleAll } from '../../platform/db/index.ts';
import { findPeriodsWithCoins } from '../attempts.ts';
import { type CustomerLinks, enableLinks, type TokenPurpose } from '../customer-links.ts';
import { confirmationEmail } from '../email-templates/confirmation.ts';
import type { ScheduleEmailInput } from '../email-templates/inputs.ts';
import { requestEmail } from '../email-templates/request.ts';
import { unsubscribeHeaders } from '../email-templates/unsubscribe.ts';
import { requestedOf, type ScheduleStep, type StepEffect } from '../schedule-step.ts';
import { type StoredSchedule, storedScheduleOf } from './stored-schedules.ts';
import { findTestEmailsBeyondLimit } from './test-emails.ts';

export interface MailDeps {
  readonly links: CustomerLinks;
  /** Wall clock: an email is created now, regardless of the clock of its schedule. */
  readonly now: () => UnixMs;
  /** Positions of the confirmation emails that are stored but not sent, because of the limits. */
  readonly findBeyondBounds: (
    trx: Transaction<Database>,
    emails: readonly ConfirmationEmail[],
  ) => Promise<ReadonlySet<number>>;
}

/** A confirmation email of a live schedule. */
export interface ConfirmationEmail {
  readonly customerEmail: string;
  readonly merchantId: string;
  readonly isResent: boolean;
}

/** The keys of all confirmation emails, as a `like` pattern. */
export const CONFIRMATION_KEYS = 'schedule:%:confirmation:%';

/** The key of a confirmation email; `step` counts from 0. */
export function confirmationKey(scheduleId: string, step: number): string {
  return `schedule:${scheduleId}:confirmation:${step}`;
}

/** The key of an email about a period: step 0 is the request, the others are reminders. */
export function requestKey(scheduleId: string, { periodNo, step }: { periodNo: number; step: number }): string {
  return `schedule:${scheduleId}:period:${periodNo}:${step}`;
}

/**
 * Writes the emails requested by these steps, and enables their links. The key of an email names
 * its step, so it is written only once. A reminder of a period for which coins have arrived is
 * stored and not sent: the customer must not be asked to pay twice.
 */
export async function saveEmails(
  trx: Transaction<Database>,
  steps: readonly ScheduleStep[],
  { schedules, links, now, findBeyondBounds }: MailDeps & { readonly schedules: ReadonlyMap<string, StoredSchedule> },
): Promise<void> {
  const requested = requestedOf(steps, 'sendMail');
  if (requested.length === 0) return;
  const createdAt = now();
  const confirmations = requested.filter(({ step, params }) => {
    return params.kind === 'confirmation' && storedScheduleOf(schedules, step.actorId).mode === 'live';
  });
  const reminders = requested.flatMap((each) => {
    const { step, params } = each;
    if (params.kind === 'confirmation' || params.step === 0) return [];
    return [{ each, scheduleId: step.actorId, periodNo: params.periodNo }];
  });
  const tests = requested.filter(({ step }) => {
    const { mode, mayBeWrittenTo } = storedScheduleOf(schedules, step.actorId);
    return mode === 'test' && mayBeWrittenTo;
  });
  const testRecipients = tests.map(({ step }) => storedScheduleOf(schedules, step.actorId).customerEmail);
  const [beyond, withCoins, beyondTests] = await settleAll([
    findBeyondBounds(
      trx,
      confirmations.map(({ step, params }) => {
        return {
          ...storedScheduleOf(schedules, step.actorId),
          isResent: params.kind === 'confirmation' && params.step > 0,
        };
      }),
    ),
    findPeriodsWithCoins(trx, reminders),
    findTestEmailsBeyondLimit(trx, testRecipients, createdAt),
  ]);
  const held = new Set([
    ...confirmations.filter((_, index) => beyond.has(index)),
    ...reminders.filter((_, index) => withCoins.has(index)).map(({ each }) => each),
    ...tests.filter((_, index) => beyondTests.has(index)),
  ]);
  await settleAll([
    enableLinks(trx, links, requested.flatMap(purposesOf)),
    queueEmails(
      trx,
      requested.map((each) => {
        const email = emailOf(each, storedScheduleOf(schedules, each.step.actorId), links);
        return { ...email, isHeld: email.isHeld || held.has(each), createdAt };
      }),
    ),
  ]);
}

// Helpers

type RequestedEmail = StepEffect<'sendMail'>;

function purposesOf({ step: { actorId: scheduleId }, params }: RequestedEmail): TokenPurpose[] {
  const stop = { purpose: 'stop', scheduleId } as const;
  if (params.kind === 'confirmation') return [{ purpose: 'confirm', scheduleId }, stop];
  return [{ purpose: 'pay', scheduleId, periodNo: params.periodNo }, stop];
}

function emailOf(requested: RequestedEmail, schedule: StoredSchedule, links: CustomerLinks) {
  const { actorId: scheduleId } = requested.step;
  const stopUrl = links.urlOf({ purpose: 'stop', scheduleId });
  const emailInput = { ...emailInputOf(requested, schedule, stopUrl), ...emailShopOf(schedule, links) };
  const email = {
    merchantId: schedule.merchantId,
    recipient: schedule.customerEmail,
    fromName: schedule.merchantName,
    actorId: scheduleId,
    isHeld: !schedule.mayBeWrittenTo,
    headers: unsubscribeHeaders(stopUrl),
  };
  const { params } = requested;
  if (params.kind === 'confirmation') {
    const { timers, createdAt } = requested.step.context;
    const confirmUrl = links.urlOf({ purpose: 'confirm', scheduleId });
    const expiresAt = timers.confirmation_expired ?? createdAt;
    const content = confirmationEmail({ ...emailInput, confirmUrl, expiresAt });
    return { ...email, ...renderEmail(content), dedupeKey: confirmationKey(scheduleId, params.step) };
  }
  const { periodNo, dueAt, step: reminder } = params;
  const payUrl = links.urlOf({ purpose: 'pay', scheduleId, periodNo });
  const content = requestEmail({ ...emailInput, payUrl, periodNo, dueAt, reminder });
  return { ...email, ...renderEmail(content), dedupeKey: requestKey(scheduleId, { periodNo, step: reminder }) };
}

/** Language and look of the merchant's emails to customers. */
function emailShopOf({ merchantSettings }: StoredSchedule, { publicUrl }: CustomerLinks) {
  const { customerLanguage, logo, brandColour } = withDefaults(merchantSettings);
  return { language: customerLanguage, look: { logoUrl: imageAddress(publicUrl, logo), colour: brandColour } };
}

function emailInputOf(
  { step: { context } }: RequestedEmail,
  schedule: StoredSchedule,
  stopUrl: string,
): Omit<ScheduleEmailInput, 'language' | 'look'> {
  const { merchantName, description, reference, amountFiat, currencyFiat, mode } = schedule;
  const { interval, startAt, maxPeriods } = context;
  const isTest = mode === 'test';
  return {
    merchantName,
    description,
    reference,
    amountFiat,
    currencyFiat,
    interval,
    startAt,
    maxPeriods,
    isTest,
    stopUrl,
  };
}

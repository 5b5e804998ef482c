import { type Static, Type } from 'typebox';
import { INTERVALS, SCHEDULE_STATUSES, type UnixMs } from '../../../../../machines/index.ts';
import { isEmailAddress } from '../../../../platform/email-address.ts';
import {
  type PeriodPage as FeaturePeriodPage,
  SCHEDULE_SIMULATIONS,
  type ScheduleEmail,
  type ScheduleView,
} from '../../../../recurring/index.ts';
import { line, oneOf, refined, Timestamp, text, whole } from '../../schema.ts';
import { ClockSeconds, CryptoSymbol, FiatCurrency, Mode } from '../schemas.ts';

export type { Interval as IntervalName, ScheduleStatus as ScheduleStatusName } from '../../../../../machines/index.ts';
export type {
  PeriodStatus as PeriodStatusName,
  PeriodView as PeriodInfo,
  ScheduleDecision as ScheduleDecisionName,
  ScheduleEmail as ScheduleEmailInfo,
} from '../../../../recurring/index.ts';

export const ScheduleStatus = oneOf(SCHEDULE_STATUSES);

export interface ScheduleInfo extends Omit<ScheduleView, 'metadata' | 'isTest' | 'endReason'> {
  /** Deadline for the customer's confirmation; null once that is decided. */
  readonly confirmBy: UnixMs | null;
  /** Its last period is over, as opposed to cancelled. */
  readonly isFinished: boolean;
}

/** Newest first. */
export interface SchedulePage {
  readonly schedules: readonly ScheduleInfo[];
  /** An operator has to approve the merchant before it can create requests in this mode. */
  readonly needsApproval: boolean;
  readonly total: number;
  /** Offset of the next page; null when there is none. */
  readonly next: number | null;
}

export interface ScheduleDetail {
  readonly schedule: ScheduleInfo;
  /** The schedule's current time: test schedules can be ahead. */
  readonly now: UnixMs;
  readonly maxConfirmations: number;
  /** Newest first. */
  readonly mails: readonly ScheduleEmail[];
}

export interface PeriodPage extends FeaturePeriodPage {
  /** Offset of the next page; null when there is none. */
  readonly next: number | null;
}

export const Reference = line(255);

/** RFC 5321 allows 254 characters for an address. */
const EmailAddress = refined(text(254), isEmailAddress, 'must be an email address like name@shop.example');

/** A URL that a browser can open without running code (http or https). */
const WebAddress = refined(
  text(2_048),
  (url) => URL.canParse(url) && ['https:', 'http:'].includes(new URL(url).protocol),
  'must be an https:// or http:// address',
);

export const NewScheduleBody = Type.Object({
  mode: Mode,
  /** Idempotency key: a repeated request creates no second schedule. */
  requestId: text(100),
  customerEmail: EmailAddress,
  description: line(500),
  amount: text(50),
  currency: FiatCurrency,
  interval: oneOf(INTERVALS),
  reference: Type.Optional(Reference),
  crypto: Type.Optional(CryptoSymbol),
  startAt: Type.Optional(Timestamp),
  /** At most monthly for a hundred years. */
  maxPeriods: Type.Optional(whole(1, 1_200)),
  successUrl: Type.Optional(WebAddress),
});
export type NewScheduleBody = Static<typeof NewScheduleBody>;

/** For test schedules. `advance_clock` takes `seconds` or `to`, the other actions neither. */
export const SimulateScheduleBody = Type.Object({
  action: oneOf(SCHEDULE_SIMULATIONS),
  seconds: Type.Optional(ClockSeconds),
  to: Type.Optional(Timestamp),
});
export type SimulateScheduleBody = Static<typeof SimulateScheduleBody>;

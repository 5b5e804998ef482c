import type { CryptoSymbol, FiatCurrency } from '../../../../machines/index.ts';
import type { Mode } from '../../contract/desk.ts';
import type {
  IntervalName,
  PeriodPage,
  ScheduleDecisionName,
  ScheduleDetail,
  ScheduleInfo,
  SchedulePage,
  ScheduleStatusName,
} from '../../contract/recurring.ts';
import type { Member } from '../member.ts';

export interface ScheduleFilter {
  readonly mode: Mode;
  readonly status: ScheduleStatusName | null;
  readonly reference: string | null;
  readonly offset: number;
}

export interface WantedSchedule {
  readonly mode: Mode;
  readonly requestId: string;
  readonly customerEmail: string;
  readonly description: string;
  /** Decimal text; validated by the use case. */
  readonly amount: string;
  readonly currency: FiatCurrency;
  readonly interval: IntervalName;
  readonly reference: string | null;
  readonly crypto: CryptoSymbol | null;
  /** Unix ms. */
  readonly startAt: number | null;
  readonly maxPeriods: number | null;
  readonly successUrl: string | null;
}

/**
 * Identifies a schedule of the member's merchant. Another merchant's schedule is
 * `SCHEDULE_NOT_FOUND`.
 */
export interface ScheduleName {
  readonly mode: Mode;
  readonly id: string;
}

export type ScheduleStep =
  | { readonly action: 'advance_to'; readonly to: number }
  | { readonly action: 'confirm' | 'bounce' | 'stop' };

/** The recurring payment requests of the member's merchant. */
export interface RecurringDesk {
  list(member: Member, filter: ScheduleFilter): Promise<SchedulePage>;
  get(member: Member, name: ScheduleName): Promise<ScheduleDetail>;
  periods(member: Member, name: ScheduleName, offset: number): Promise<PeriodPage>;
  /** Throws what `createSchedule` throws. */
  create(member: Member, wanted: WantedSchedule): Promise<ScheduleInfo>;
  /**
   * Throws `INVALID_STATE` when the current state does not allow it, and `RECIPIENT_LIMIT_REACHED`.
   */
  decide(member: Member, name: ScheduleName, decision: ScheduleDecisionName): Promise<ScheduleInfo>;
  /** For test schedules. Throws `INVALID_STATE`, and `INVALID_REQUEST` for a time out of range. */
  simulate(member: Member, id: string, step: ScheduleStep): Promise<ScheduleInfo>;
}

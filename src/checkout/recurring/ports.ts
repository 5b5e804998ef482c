import type { CryptoSymbol } from '../../../machines/index.ts';
import type { PeriodForCustomer, ScheduleForCustomer } from '../../recurring/index.ts';

/**
 * What the holder of a mail link can do. Tokens come from the URL, unvalidated; each works for one
 * purpose only. The composition root binds these to the use cases of `recurring`.
 */
export interface CustomerRequests {
  /** Null when no schedule has this token for this purpose. */
  find(purpose: 'confirm' | 'stop', token: string): Promise<ScheduleForCustomer | null>;
  /**
   * Confirms the schedule and returns it; no effect when already confirmed or
   * ended. Null as in `find`.
   */
  confirm(token: string): Promise<ScheduleForCustomer | null>;
  /** Ends the schedule; repeating it has no effect. Null as in `find`. */
  stop(token: string): Promise<ScheduleForCustomer | null>;
  findPeriod(token: string): Promise<PeriodForCustomer | null>;
  /**
   * The id of the payment to continue with, opened now if there is none. Null for an unknown token.
   * Throws `TerminalError` `INVALID_CRYPTO` for a coin that is not offered, `INVALID_STATE` when
   * the period is paid or its schedule has ended, and what `createTransaction` throws.
   */
  openPeriod(token: string, crypto: CryptoSymbol): Promise<string | null>;
}

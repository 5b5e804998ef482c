import type { CryptoSymbol } from '../../../machines/index.ts';
import type { PeriodForCustomer, ScheduleForCustomer } from '../../recurring/index.ts';

/**
 * What whoever holds a link from a mail can do. Tokens are texts from the address, of any form; each works for one purpose
 * alone. The composition root binds these to the use cases of `recurring`.
 */
export interface CustomerRequests {
  /** Null when the token of this purpose names nothing. */
  find(purpose: 'confirm' | 'stop', token: string): Promise<ScheduleForCustomer | null>;
  /** Agrees. The schedule after it: confirming twice, or what has ended, changes nothing. Null as in `find`. */
  confirm(token: string): Promise<ScheduleForCustomer | null>;
  /** Ends it. Stopping twice changes nothing. Null as in `find`. */
  stop(token: string): Promise<ScheduleForCustomer | null>;
  findPeriod(token: string): Promise<PeriodForCustomer | null>;
  /**
   * The payment to go to, opened now if none can be gone on with: its id. Null when the token names nothing. Throws
   * `TerminalError` `INVALID_CRYPTO` for a coin that is not offered, `INVALID_STATE` when the period is paid or its schedule has
   * ended, and what `createTransaction` throws.
   */
  openPeriod(token: string, crypto: CryptoSymbol): Promise<string | null>;
}

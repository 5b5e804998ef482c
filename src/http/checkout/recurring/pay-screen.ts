import type { CryptoSymbol, ScheduleStatus } from '../../../../machines/index.ts';
import type { PeriodForCustomer } from '../../../recurring/index.ts';

export type PayScreen =
  | { readonly kind: 'paid'; readonly transactionId: string | null }
  /** Coins have arrived; the customer can only look at the payment. */
  | { readonly kind: 'inProgress'; readonly transactionId: string }
  /** A payment is open and awaits its coins; another one can be opened in another coin. */
  | { readonly kind: 'open'; readonly transactionId: string; readonly cryptos: readonly CryptoSymbol[] }
  | { readonly kind: 'choose'; readonly cryptos: readonly CryptoSymbol[]; readonly isLate: boolean }
  | { readonly kind: 'over'; readonly status: EndedStatus }
  /** Due, but no payment can be opened. */
  | { readonly kind: 'unavailable' };

export type EndedStatus = Exclude<ScheduleStatus, 'pending_confirmation' | 'active' | 'paused'>;

/**
 * Decides what the page of a period shows. Received coins take precedence; a customer who ended the
 * schedule is not asked to pay; an open payment comes before a new one.
 */
export function payScreenOf({ schedule, status, cryptos, transactionId, isInProgress }: PeriodForCustomer): PayScreen {
  if (status === 'paid') return { kind: 'paid', transactionId };
  if (transactionId !== null && isInProgress) return { kind: 'inProgress', transactionId };
  // A finished schedule has not been ended by anyone: its last period can be paid as
  // long as a coin is offered.
  if (isEnded(schedule.status) && !schedule.isFinished) return { kind: 'over', status: schedule.status };
  if (transactionId !== null) return { kind: 'open', transactionId, cryptos };
  if (cryptos.length > 0) return { kind: 'choose', cryptos, isLate: status === 'unpaid' };
  return isEnded(schedule.status) ? { kind: 'over', status: schedule.status } : { kind: 'unavailable' };
}

// Helpers

function isEnded(status: ScheduleStatus): status is EndedStatus {
  return status !== 'pending_confirmation' && status !== 'active' && status !== 'paused';
}

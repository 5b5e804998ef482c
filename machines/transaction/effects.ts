import type { PaymentEvent } from '../vocabulary/payment-event.ts';
import type { TransactionException, TransactionStatus } from '../vocabulary/status.ts';
import type { UnixMs } from '../vocabulary/time.ts';

/**
 * Effects of the chart, as data. `transition()` returns them; nothing here runs. The key is the
 * action type, the value its parameters.
 */
export interface TransactionEffects {
  /**
   * Sets or moves the timer of that name. `gated`: fires only once the network was scanned past it.
   */
  startTimer: TimeTimer;
  /** Requests `timer.depth_reached` once the network's chain has this height. */
  startHeightTimer: { timer: 'depth_reached'; height: number };
  cancelTimer: { timer: TransactionTimer };
  watchAddress: Record<never, never>;
  stopWatching: Record<never, never>;
  /**
   * Requests a depth check of these outputs in the canonical chain; the results are observations.
   */
  verifyOutputs: { outputIds: readonly string[] };
  notifyMerchant: MerchantNotification;
  alertOperator: { alert: 'completed_payment_lost'; detail: string };
}

export type TransactionTimer =
  | 'window_closed'
  | 'confirmation_deadline_passed'
  | 'loss_settled'
  | 'verification_overdue'
  | 'monitoring_ended'
  | 'depth_reached';

export interface TimeTimer {
  timer: Exclude<TransactionTimer, 'depth_reached'>;
  dueAt: UnixMs;
  gated: boolean;
}

/** A webhook event as decided by the chart: type, public status at that time, sequence number. */
export interface MerchantNotification {
  event: PaymentEvent;
  status: TransactionStatus;
  exception: TransactionException | null;
  sequence: number;
}

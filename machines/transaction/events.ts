import type { BaseUnitsString } from '../vocabulary/amount.ts';
import type { UnixMs } from '../vocabulary/time.ts';
import type { ChainOrder, GoneReason, Outdated, Shortfall } from './context.ts';

/**
 * Everything that can happen to a transaction. Names say who speaks and what already happened. `at` is
 * the clock reading of whoever accepted the event; charts have no clock of their own.
 */
export type TransactionEvent = ChainEvent | TimerEvent | MerchantEvent;

export type ChainEvent =
  /** An output is in the mempool of the node, in no block. */
  | ({ readonly type: 'chain.output_seen' } & Observed & Sighted)
  /** An output is in a block of the best chain, at any depth. */
  | ({ readonly type: 'chain.output_mined' } & Observed & Sighted & Placed)
  /** The block of an output was checked to be canonical and deep enough; or, `byLock`, to be locked however new it is. */
  | ({ readonly type: 'chain.output_confirmed'; readonly byLock?: true } & Observed & Sighted & Placed)
  /** An output is in neither the best chain nor the mempool any more. */
  | ({ readonly type: 'chain.output_dropped'; readonly reason: GoneReason } & Observed & Sighted)
  /** The address of an account-based chain holds less than the payments we know explain. */
  | ({ readonly type: 'chain.balance_dropped'; readonly at: UnixMs } & Shortfall);

/** An observation about one output; the higher `order` is the newer one. */
export interface Observed {
  readonly at: UnixMs;
  readonly outputId: string;
  readonly order: ChainOrder;
}

export interface Sighted {
  readonly txid: string | null;
  readonly amountBaseUnits: BaseUnitsString;
  readonly firstSeenAt: UnixMs;
  /**
   * Some of what the transaction uses up, sorted: outpoints (`txid:vout`), or `sender:nonce`.
   * Another transaction that uses one of them up replaces it. Left out where it is unknown, and for
   * a balance that no transaction explains.
   */
  readonly spends?: readonly string[];
  /** Outputs of its address that its report, or one before, calls gone or smaller, up to eight. */
  readonly outdates?: Outdated;
}

export interface Placed {
  readonly height: number;
  readonly blockHash: string;
}

export type TimerEvent =
  | ({ readonly type: 'timer.window_closed' } & TimerFired)
  | ({ readonly type: 'timer.confirmation_deadline_passed' } & TimerFired)
  | ({ readonly type: 'timer.loss_settled' } & TimerFired)
  | ({ readonly type: 'timer.verification_overdue' } & TimerFired)
  | ({ readonly type: 'timer.monitoring_ended' } & TimerFired)
  | { readonly type: 'timer.depth_reached'; readonly at: UnixMs; readonly height: number };

/** `dueAt` is the moment the timer was set for, so that a stale timer can be told from the current one. */
export interface TimerFired {
  readonly at: UnixMs;
  readonly dueAt: UnixMs;
}

export type MerchantEvent =
  | ({ readonly type: 'merchant.marked_paid' } & Decision)
  | ({ readonly type: 'merchant.dismissed' } & Decision)
  | ({ readonly type: 'merchant.confirmed' } & Decision)
  | ({ readonly type: 'merchant.rejected' } & Decision);

export interface Decision {
  readonly at: UnixMs;
  /** Who decided: an opaque user or key id, never a name or e-mail. */
  readonly by: string;
  readonly reason?: string;
}

import type { BaseUnitsString } from '../vocabulary/amount.ts';
import type { UnixMs } from '../vocabulary/time.ts';
import type { ChainOrder, GoneReason, Outdated, Shortfall } from './context.ts';

/**
 * All events of a transaction. Names state the source and what happened. `at` is the time at which
 * the event was accepted; charts have no clock.
 */
export type TransactionEvent = ChainEvent | TimerEvent | MerchantEvent;

export type ChainEvent =
  /** An output is in the node's mempool but in no block. */
  | ({ readonly type: 'chain.output_seen' } & Observed & Sighted)
  /** An output is in a block of the best chain, at any depth. */
  | ({ readonly type: 'chain.output_mined' } & Observed & Sighted & Placed)
  /**
   * The output's block was verified canonical and deep enough, or (`byLock`) locked at any depth.
   */
  | ({ readonly type: 'chain.output_confirmed'; readonly byLock?: true } & Observed & Sighted & Placed)
  /** An output is no longer in the best chain or the mempool. */
  | ({ readonly type: 'chain.output_dropped'; readonly reason: GoneReason } & Observed & Sighted)
  /** An address on an account-based chain holds less than its known payments explain. */
  | ({ readonly type: 'chain.balance_dropped'; readonly at: UnixMs } & Shortfall);

/** An observation of one output; a higher `order` is newer. */
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
   * Order of the first sighting, when it was another observation, which may be lost or processed
   * later. Without it this observation counts as the first one.
   */
  readonly firstSeenOrder?: ChainOrder;
  /**
   * Some of the transaction's inputs, sorted: outpoints (`txid:vout`), or `sender:nonce`. Another
   * transaction that spends one of them replaces it. Absent where unknown, and for a balance that
   * no transaction explains.
   */
  readonly spends?: readonly string[];
  /** Up to eight outputs of its address that this report, or one before, calls gone or smaller. */
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

/** `dueAt` is what the timer was set to, to recognise a stale timer. */
export interface TimerFired {
  readonly at: UnixMs;
  readonly dueAt: UnixMs;
}

export type MerchantEvent =
  | ({ readonly type: 'merchant.marked_paid' } & Decision)
  | ({ readonly type: 'merchant.dismissed' } & Decision)
  | ({ readonly type: 'merchant.confirmed' } & Decision)
  | ({ readonly type: 'merchant.rejected' } & Decision)
  | MerchantSettled;

/** One observation of an output. */
export type OutputEvent = Extract<TransactionEvent, { readonly outputId: string }>;

/** A user has dealt with coins: refunded them, say. */
export type MerchantSettled = {
  readonly type: 'merchant.settled';
  /** The coins, which a payment that ended unpaid declines. */
  readonly outputIds: readonly string[];
  /** Of a completed payment: the sum beyond what was due that was dealt with. */
  readonly surplusBaseUnits?: BaseUnitsString;
  /** Of a completed payment: the lost sum that was made up for in another way. */
  readonly lossBaseUnits?: BaseUnitsString;
} & Decision;

export interface Decision {
  readonly at: UnixMs;
  /** Who decided: an opaque user or key id, never a name or email. */
  readonly by: string;
  readonly reason?: string;
}

import type { Transaction } from 'kysely';
import type { UnixMs } from '../../../machines/index.ts';
import type { Database } from '../../platform/db/index.ts';
import type { KeylessCaller } from '../create/keyless-payments.ts';

/** A line item, as shown and returned. `price` is an exact decimal, per unit. */
export interface LineItem {
  readonly name: string;
  readonly quantity: number;
  readonly price: string;
}

/** Data of a transaction that its chart does not use; it goes straight to the projection. */
export interface TransactionAttachment {
  readonly derivationKeyId: string;
  readonly orderId: string | null;
  readonly customerEmail: string | null;
  readonly items: readonly LineItem[] | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly successUrl: string | null;
  readonly cancelUrl: string | null;
  readonly idempotencyKey: string | null;
  readonly requestHash: string | null;
  /** See `ClientHash`; absent when the customer is unknown. */
  readonly clientHash?: string | undefined;
  /** Absent when a secret key, a schedule or the service itself starts it. */
  readonly opener?: KeylessCaller | undefined;
  readonly rateSources: readonly string[];
  /** Time of the oldest price in the two rates. */
  readonly ratesAt: UnixMs;
  /** Writes of the feature that starts it, in the same commit; uses only `trx`. */
  readonly onStarted?: ((trx: Transaction<Database>, transactionId: string) => Promise<void>) | undefined;
}

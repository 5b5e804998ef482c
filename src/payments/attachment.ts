import type { Transaction } from 'kysely';
import type { Database } from '../db/index.ts';
import type { KeylessOpener } from './keyless-payments.ts';

/** What is bought, as it is shown and given back. `price` is an exact decimal, per piece. */
export interface LineItem {
  readonly name: string;
  readonly quantity: number;
  readonly price: string;
}

/** Facts of a transaction that its chart has no use for; they go straight to the projection. */
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
  /** See `ClientHash`; left out when nobody said who the shopper is. */
  readonly clientHash?: string;
  /** Left out when a secret key, a schedule or the service itself starts it. */
  readonly opener?: KeylessOpener;
  readonly rateSources: readonly string[];
  /** What the feature that starts it writes in the same commit; with `trx` alone. */
  readonly onStarted?: (trx: Transaction<Database>, transactionId: string) => Promise<void>;
}

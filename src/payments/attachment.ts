/** Facts of a transaction that its chart has no use for; they go straight to the projection. */
export interface TransactionAttachment {
  readonly derivationKeyId: string;
  readonly orderId: string | null;
  readonly customerEmail: string | null;
  readonly items: readonly unknown[] | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly successUrl: string | null;
  readonly cancelUrl: string | null;
  readonly idempotencyKey: string | null;
  readonly requestHash: string | null;
  readonly rateSources: readonly string[];
}

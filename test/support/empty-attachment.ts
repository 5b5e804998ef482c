import type { TransactionAttachment } from '../../src/payments/projection/attachment.ts';

/** Of a payment without any details, at an address of no wallet. */
export const EMPTY_ATTACHMENT: TransactionAttachment = {
  derivationKeyId: 'none',
  orderId: null,
  customerEmail: null,
  items: null,
  metadata: null,
  successUrl: null,
  cancelUrl: null,
  idempotencyKey: null,
  requestHash: null,
  rateSources: ['sample'],
  ratesAt: 0,
};

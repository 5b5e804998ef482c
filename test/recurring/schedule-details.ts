/** What a schedule stores next to its chart, for tests where the values do not matter. */
export const SCHEDULE_DETAILS = {
  mode: 'live',
  reference: null,
  customerEmail: 'customer@example.com',
  description: 'Coffee',
  amountFiat: '25',
  currencyFiat: 'EUR',
  crypto: null,
  metadata: null,
  successUrl: null,
  idempotencyKey: null,
  requestHash: null,
} as const;

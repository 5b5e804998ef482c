/** The payment event types of the webhook interface. */
export const PAYMENT_EVENTS = [
  'payment.created',
  'payment.pending',
  'payment.completed',
  'payment.overpaid',
  'payment.partial',
  'payment.expired',
  'payment.failed',
  'payment.paid_late',
  'payment.needs_review',
] as const;
export type PaymentEvent = (typeof PAYMENT_EVENTS)[number];

/**
 * Testing your own receiver, as `quittance/testing`: random payments that can really happen, the webhooks they send, and a
 * check of what a shop makes of them. Needs fast-check, which you install beside it.
 */

export type { CheckOptions, ReceiverUnderTest } from './check-receiver.ts';
export { checkReceiver } from './check-receiver.ts';
export type { Delivery, DeliveryOptions, WebhookRequest } from './deliveries.ts';
export { deliveriesOf, signDelivery, TEST_WEBHOOK_SECRET } from './deliveries.ts';
export type { HistoryEvent, PaymentHistory } from './history.ts';
export { paymentHistories } from './history.ts';
export type { ReceiverOutcome } from './outcome.ts';
export { expectedOutcome } from './outcome.ts';
export type { WorldStep } from './world.ts';

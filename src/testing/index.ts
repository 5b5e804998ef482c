/**
 * Test kit for your own receiver, as `quittance/testing`: random but possible payments and
 * recurring payment requests, the webhooks they send, and a check of the state your shop ends in.
 * Requires fast-check, a separate installation.
 */

export type { ReceiverOutcome, ReceiverUnderTest } from './check-receiver.ts';
export { checkReceiver, expectedOutcome } from './check-receiver.ts';
export type { Delivery, DeliveryOptions, WebhookRequest } from './deliveries.ts';
export { deliveriesOf, signDelivery, TEST_WEBHOOK_SECRET } from './deliveries.ts';
export type { RecordedEvent, RecordedHistory } from './event.ts';
export type { HistoryEvent, PaymentHistory } from './history.ts';
export { paymentHistories } from './history.ts';
export type { PaymentStep } from './payment-simulation.ts';
export type { RecurringReceiverUnderTest } from './recurring/check-recurring-receiver.ts';
export { checkRecurringReceiver } from './recurring/check-recurring-receiver.ts';
export type { ScheduleHistory, ScheduleHistoryEvent } from './recurring/schedule-history.ts';
export { scheduleHistories } from './recurring/schedule-history.ts';
export type { ScheduleOutcome } from './recurring/schedule-outcome.ts';
export { expectedScheduleOutcome } from './recurring/schedule-outcome.ts';
export type { ScheduleStep } from './recurring/schedule-simulation.ts';
export type { CheckOptions, WebhookTaker } from './trial.ts';

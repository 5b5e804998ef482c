/**
 * Public API of webhooks: signed event notifications to merchants' servers, retried until delivered
 * or abandoned.
 */

export { createDeliveryKind } from './delivery-kind.ts';
export type { WebhookUrlPolicy } from './endpoint-url.ts';
export { isLoopbackHost } from './endpoint-url.ts';
export type { EndpointChanges } from './endpoints/change-endpoint.ts';
export { changeEndpoint } from './endpoints/change-endpoint.ts';
export type { EndpointWithSecret, NewEndpoint } from './endpoints/create-endpoint.ts';
export { createEndpoint } from './endpoints/create-endpoint.ts';
export { deleteEndpoint } from './endpoints/delete-endpoint.ts';
export { emailEndpointChange } from './endpoints/email-endpoint-change.ts';
export type { EndpointDeps, EndpointOfMerchant, EndpointTerms, WebhookEndpoint } from './endpoints/endpoint.ts';
export { MAX_DESCRIPTION_CHARACTERS, MAX_PER_SECOND } from './endpoints/endpoint-fields.ts';
export { findEndpoint, getEndpoint, listEndpoints } from './endpoints/find-endpoints.ts';
export { checkEndpointSecrets, forgetPreviousSecrets, openEndpointSecret } from './endpoints/readable-secrets.ts';
export { resealEndpointSecrets } from './endpoints/reseal-secrets.ts';
export { MAX_SECRET_OVERLAP_HOURS, regenerateSecret, rotateSecret } from './endpoints/rotate-secret.ts';
export type { SentTestEvent, TestEventDeps } from './endpoints/send-test-event.ts';
export { sendTestEvent } from './endpoints/send-test-event.ts';
export type { WebhookEventType } from './event-types.ts';
export { DEFAULT_SUBSCRIPTION, readEventType, WEBHOOK_EVENT_TYPES } from './event-types.ts';
export { createHealthWorker } from './health/health-worker.ts';
export { listFailingEndpoints } from './health/list-failing-endpoints.ts';
export { sampleEndpointEmail } from './health/sample-emails.ts';
export type { DeliveryCounts } from './log/count-deliveries.ts';
export { countDeliveries, MAX_COUNTED } from './log/count-deliveries.ts';
export { deleteResponses } from './log/delete-responses.ts';
export type { DeliveryView } from './log/delivery-view.ts';
export { DELIVERY_STATES } from './log/delivery-view.ts';
export type { EndpointHealth } from './log/endpoint-health.ts';
export { readEndpointHealth } from './log/endpoint-health.ts';
export type { AttemptView, LoggedDelivery } from './log/get-delivery.ts';
export { getDelivery, MAX_SHOWN_ATTEMPTS } from './log/get-delivery.ts';
export type { DeliveryListRequest } from './log/list-deliveries.ts';
export { listDeliveries } from './log/list-deliveries.ts';
export { hasDelivered, listTransactionEvents } from './log/list-transaction-events.ts';
export { deliveryOnWire, detailsOnWire, endpointOnWire, replayOnWire } from './on-wire.ts';
export { findSubscribers, raiseWebhookEvents, storeWebhookEvents } from './raise-events.ts';
export { cancelReplay, findNewestReplay, getReplay } from './redelivery/follow-replay.ts';
export type { ReplayPreview } from './redelivery/preview-replay.ts';
export { countReplayedEvents, MAX_PREVIEWED_EVENTS, previewReplay } from './redelivery/preview-replay.ts';
export type { RedeliverDeps, Redelivery } from './redelivery/redeliver.ts';
export { REDELIVERY_OUTCOMES, redeliver } from './redelivery/redeliver.ts';
export type { Replay } from './redelivery/replay.ts';
export { REPLAY_STATES } from './redelivery/replay.ts';
export { createReplayWorker } from './redelivery/replay-worker.ts';
export { MAX_REPLAY_DAYS, requestReplay } from './redelivery/request-replay.ts';
export { type RetriedDeliveries, retryWaiting } from './redelivery/retry-waiting.ts';
export { SEND_QUEUE } from './send-message.ts';
export type { Sender, SenderDeps } from './sender/create-sender.ts';
export { createSender } from './sender/create-sender.ts';
export { SENDER_LIMITS } from './sender/limits.ts';
export type { SenderObserver } from './sender/observer.ts';
export type { NewWebhookEvent } from './store-events.ts';
export { webhookEventId } from './store-events.ts';

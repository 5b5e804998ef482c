/**
 * Public API of webhooks: signed event notifications to merchants' servers, retried until delivered
 * or given up.
 */

export { createDeliveryKind } from './delivery-kind.ts';
export type { WebhookUrlPolicy } from './endpoint-url.ts';
export type {
  EndpointChanges,
  EndpointDeps,
  EndpointOfMerchant,
  EndpointTerms,
  EndpointWithSecret,
  NewEndpoint,
  SentTestEvent,
  TestEventDeps,
  WebhookEndpoint,
} from './endpoints/index.ts';
export {
  changeEndpoint,
  checkEndpointSecrets,
  createEndpoint,
  deleteEndpoint,
  findEndpoint,
  forgetPreviousSecrets,
  getEndpoint,
  listEndpoints,
  MAX_DESCRIPTION_CHARACTERS,
  MAX_PER_SECOND,
  MAX_SECRET_OVERLAP_HOURS,
  regenerateSecret,
  resealEndpointSecrets,
  rotateSecret,
  sendTestEvent,
} from './endpoints/index.ts';
export type { WebhookEventType } from './event-types.ts';
export { DEFAULT_SUBSCRIPTION, readEventType, WEBHOOK_EVENT_TYPES } from './event-types.ts';
export type { NewWebhookEvent } from './events.ts';
export { webhookEventId } from './events.ts';
export { createHealthWorker, listFailingEndpoints, sampleEndpointMail } from './health/index.ts';
export type {
  AttemptView,
  DeliveryCounts,
  DeliveryListRequest,
  DeliveryView,
  EndpointHealth,
  LoggedDelivery,
} from './log/index.ts';
export {
  countDeliveries,
  DELIVERY_STATES,
  deleteResponses,
  getDelivery,
  hasDelivered,
  listDeliveries,
  listTransactionEvents,
  MAX_COUNTED,
  MAX_SHOWN_ATTEMPTS,
  readEndpointHealth,
} from './log/index.ts';
export type { WebhookMode } from './modes.ts';
export { WEBHOOK_MODES } from './modes.ts';
export { deliveryOnWire, detailsOnWire, endpointOnWire, replayOnWire } from './on-wire.ts';
export { findSubscribers, raiseWebhookEvents, storeWebhookEvents } from './raise-events.ts';
export type { RedeliverDeps, Redelivery, Replay, ReplayPreview } from './redelivery/index.ts';
export {
  cancelReplay,
  countReplayedEvents,
  createReplayWorker,
  findNewestReplay,
  getReplay,
  MAX_PREVIEWED_EVENTS,
  MAX_REPLAY_DAYS,
  previewReplay,
  REDELIVERY_OUTCOMES,
  REPLAY_STATES,
  redeliver,
  requestReplay,
} from './redelivery/index.ts';
export { SEND_QUEUE } from './send-message.ts';
export type { Sender, SenderDeps, SenderObserver } from './sender/index.ts';
export { createSender, SENDER_LIMITS } from './sender/index.ts';

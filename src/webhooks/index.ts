/** The door of webhooks: telling merchants' own servers what happened, signed, until they have heard it. */

export { createDeliveryKind } from './delivery-kind.ts';
export type { WebhookUrlPolicy } from './endpoint-url.ts';
export type { NewEndpoint, WebhookEndpoint } from './endpoints.ts';
export { findEndpoint, registerEndpoint, updateEndpointEvents } from './endpoints.ts';
export type { WebhookEventType } from './event-types.ts';
export { DEFAULT_SUBSCRIPTION, WEBHOOK_EVENT_TYPES } from './event-types.ts';
export type { NewWebhookEvent } from './events.ts';
export { FAN_OUT_QUEUE, insertWebhookEvents, webhookEventId } from './events.ts';
export type { FanOutDeps } from './fan-out.ts';
export { createFanOut } from './fan-out.ts';
export { SEND_QUEUE } from './send-message.ts';
export type { Sender, SenderDeps, SenderLimits } from './sender/index.ts';
export { createSender, SENDER_LIMITS } from './sender/index.ts';

import { type Static, Type } from 'typebox';
import {
  DELIVERY_STATES,
  type DeliveryCounts,
  type DeliveryView,
  type EndpointHealth,
  MAX_PER_SECOND,
  type Replay,
  type WebhookEndpoint,
  type WebhookEventType,
} from '../../../../webhooks/index.ts';
import { list, oneOf, Timestamp, text, textOrNone, whole } from '../../schema.ts';
import { Mode } from '../schemas.ts';

export type {
  AttemptView as AttemptInfo,
  DeliveryView as DeliveryInfo,
  LoggedDelivery as DeliveryDetail,
  Redelivery as RedeliveryInfo,
  ReplayPreview as ReplayPreviewInfo,
  RetriedDeliveries,
  SentTestEvent as TestEventInfo,
  WebhookEventType,
} from '../../../../webhooks/index.ts';

export interface EndpointInfo extends Omit<WebhookEndpoint, 'merchantId'> {
  readonly health: EndpointHealth;
}

interface Subscriptions {
  readonly eventTypes: readonly WebhookEventType[];
  readonly defaultEvents: readonly WebhookEventType[];
}

/** Oldest first. */
export interface EndpointList extends Subscriptions {
  readonly endpoints: readonly EndpointInfo[];
}

export interface ReplayInfo extends Replay {
  /** Total of events it examines; null when there are too many to count. */
  readonly eventsTotal: number | null;
}

interface EndpointCounts extends DeliveryCounts {
  /** Upper limit of each count. */
  readonly most: number;
}

export interface EndpointDetail extends Subscriptions {
  readonly endpoint: EndpointInfo;
  readonly counts: EndpointCounts;
  readonly replay: ReplayInfo | null;
  readonly maxReplayDays: number;
}

const MAX_EVENT_CHARACTERS = 100;
/** Above the limit of a URL, so that the feature's error can state that limit. */
const Url = text(4_000);
const Modes = list(Mode, 2);
const Events = list(text(MAX_EVENT_CHARACTERS), 50);
const ABOUT = {
  /** Omitted when an endpoint is created: the default. */
  events: Type.Optional(Events),
  /** An empty description removes it. */
  description: Type.Optional(textOrNone(1_000)),
  disablesItself: Type.Optional(Type.Boolean()),
  disablesOnGone: Type.Optional(Type.Boolean()),
  /** 0 removes the limit. */
  maxPerSecond: Type.Optional(whole(0, MAX_PER_SECOND)),
};

export const NewEndpointBody = Type.Object({ url: Url, modes: Modes, ...ABOUT });
export type NewEndpointBody = Static<typeof NewEndpointBody>;

/** Omitted fields stay unchanged. */
export const EndpointChangesBody = Type.Object(
  { url: Type.Optional(Url), modes: Type.Optional(Modes), enabled: Type.Optional(Type.Boolean()), ...ABOUT },
  { minProperties: 1 },
);
export type EndpointChangesBody = Static<typeof EndpointChangesBody>;

/** The secret is returned only once. */
export interface EndpointSecret {
  readonly id: string;
  readonly secret: string;
}

export const RotateSecretBody = Type.Object({
  /** For how long the previous secret also signs. */
  overlapHours: whole(1, 24),
});
export type RotateSecretBody = Static<typeof RotateSecretBody>;

export interface DeletedResponses {
  /** Number of attempts whose stored responses were deleted. */
  readonly deleted: number;
}

export const TestEventBody = Type.Object({ event: text(MAX_EVENT_CHARACTERS) });

export const DeliveryState = oneOf(DELIVERY_STATES);
export type DeliveryState = Static<typeof DeliveryState>;

/** Newest first. */
export interface DeliveryPage {
  readonly deliveries: readonly DeliveryView[];
  /** `before` of the next page; null on the last. */
  readonly cursor: string | null;
}

export const ReplayRange = Type.Object({
  since: Timestamp,
  /** Now if omitted. */
  until: Type.Optional(Timestamp),
  /** `failed` excludes events that were never tried, because the endpoint was disabled. */
  only: Type.Optional(oneOf(['failed'])),
});
export type ReplayRange = Static<typeof ReplayRange>;

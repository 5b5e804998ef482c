import { type Static, Type } from 'typebox';
import { MAX_PER_SECOND } from '../../../../webhooks/index.ts';
import { list, Moment, nullable, oneOf, text, textOrNone, whole } from '../../schema.ts';
import { Mode } from '../schemas.ts';

const EndpointHealthInfo = Type.Object({
  lastSuccessAt: nullable(Type.Number()),
  lastFailure: nullable(
    Type.Object({
      at: Type.Number(),
      kind: Type.String(),
      status: nullable(Type.Number()),
      detail: Type.String(),
    }),
  ),
  /** Failed attempts since the last success. */
  failuresInARow: Type.Number(),
});

export const EndpointInfo = Type.Object({
  id: Type.String(),
  url: Type.String(),
  events: list(Type.String()),
  /** Receives events of live payments, test payments, or both. */
  modes: list(Mode),
  /** The merchant's description; may be empty. */
  description: Type.String(),
  enabled: Type.Boolean(),
  disabledAt: nullable(Type.Number()),
  /** `failing` and `gone` when the service disabled it. */
  disabledBecause: nullable(oneOf(['merchant', 'failing', 'gone'])),
  /** Whether the service may disable it after days without a success. */
  disablesItself: Type.Boolean(),
  /** Whether the service disables it when it answers 410 Gone. */
  disablesOnGone: Type.Boolean(),
  /** Attempts per second it takes; null for no limit. */
  maxPerSecond: nullable(Type.Number()),
  /** Time of the first failed attempt since the last success; null while it works. */
  failingSince: nullable(Type.Number()),
  secretChangedAt: Type.Number(),
  /**
   * Until when the previous secret also signs, which may be in the past; null unless the secret was
   * rotated with an overlap.
   */
  previousSecretUntil: nullable(Type.Number()),
  createdAt: Type.Number(),
  health: EndpointHealthInfo,
});
export type EndpointInfo = Static<typeof EndpointInfo>;

/** Oldest first. */
export const EndpointList = Type.Object({
  endpoints: list(EndpointInfo),
  eventTypes: list(Type.String()),
  /** The default subscription. */
  defaultEvents: list(Type.String()),
});
export type EndpointList = Static<typeof EndpointList>;

export const ReplayInfo = Type.Object({
  id: Type.String(),
  endpointId: Type.String(),
  since: Type.Number(),
  until: Type.Number(),
  /** Leaves out events that were never tried. */
  onlyFailed: Type.Boolean(),
  state: oneOf(['running', 'done', 'cancelled']),
  eventsSeen: Type.Number(),
  eventsSent: Type.Number(),
  /** Total of events it examines; null when there are too many to count. */
  eventsTotal: nullable(Type.Number()),
  createdAt: Type.Number(),
  endedAt: nullable(Type.Number()),
});
export type ReplayInfo = Static<typeof ReplayInfo>;

export const EndpointDetail = Type.Object({
  endpoint: EndpointInfo,
  eventTypes: list(Type.String()),
  defaultEvents: list(Type.String()),
  counts: Type.Object({
    /** Deliveries started in the last 24 hours, by outcome. */
    delivered: Type.Number(),
    failed: Type.Number(),
    /** Waiting for their next attempt. */
    waiting: Type.Number(),
    /** Events it would have received since it was disabled. */
    held: Type.Number(),
    /** Upper limit of each count. */
    most: Type.Number(),
  }),
  /** The most recent replay. */
  replay: nullable(ReplayInfo),
  maxReplayDays: Type.Number(),
});
export type EndpointDetail = Static<typeof EndpointDetail>;

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
export const EndpointSecret = Type.Object({
  id: Type.String(),
  secret: Type.String(),
});
export type EndpointSecret = Static<typeof EndpointSecret>;

export const RotateSecretBody = Type.Object({
  /** For how long the previous secret also signs. */
  overlapHours: whole(1, 24),
});
export type RotateSecretBody = Static<typeof RotateSecretBody>;

export const DeletedResponses = Type.Object({
  /** Number of attempts whose stored answers were deleted. */
  deleted: Type.Number(),
});
export type DeletedResponses = Static<typeof DeletedResponses>;

export const TestEventBody = Type.Object({ event: text(MAX_EVENT_CHARACTERS) });

export const TestEventInfo = Type.Object({
  eventId: Type.String(),
  event: Type.String(),
  deliveryId: Type.String(),
});
export type TestEventInfo = Static<typeof TestEventInfo>;

export const DeliveryState = oneOf(['sending', 'waiting', 'delivered', 'failed']);
export type DeliveryState = Static<typeof DeliveryState>;

/** The delivery of one event to one endpoint, in progress or ended. */
export const DeliveryInfo = Type.Object({
  id: Type.String(),
  endpointId: Type.String(),
  eventId: Type.String(),
  event: Type.String(),
  /** A test event that a user requested. */
  isTest: Type.Boolean(),
  transactionId: nullable(Type.String()),
  state: DeliveryState,
  /** Number of the current or last attempt; 0 before the first. */
  attempt: Type.Number(),
  /** HTTP status of the last finished attempt; null without a response. */
  lastStatus: nullable(Type.Number()),
  lastFailure: nullable(Type.String()),
  nextAttemptAt: nullable(Type.Number()),
  createdAt: Type.Number(),
  endedAt: nullable(Type.Number()),
});
export type DeliveryInfo = Static<typeof DeliveryInfo>;

/** Newest first. */
export const DeliveryPage = Type.Object({
  deliveries: list(DeliveryInfo),
  /** `before` of the next page; null on the last. */
  cursor: nullable(Type.String()),
});
export type DeliveryPage = Static<typeof DeliveryPage>;

/** One POST and its response. Everything in the response is untrusted. */
export const AttemptInfo = Type.Object({
  attempt: Type.Number(),
  startedAt: Type.Number(),
  durationMs: Type.Number(),
  status: nullable(Type.Number()),
  /** Kind of failure; null on success. */
  failure: nullable(Type.String()),
  failureDetail: nullable(Type.String()),
  isProbe: Type.Boolean(),
  requestHeaders: nullable(Type.Record(Type.String(), Type.String())),
  responseHeaders: nullable(Type.Record(Type.String(), Type.String())),
  responseBody: nullable(Type.String()),
  isResponseCut: Type.Boolean(),
  peerAddress: nullable(Type.String()),
  /** Phases of the duration; null where they did not take place. */
  timing: Type.Object({
    dnsMs: nullable(Type.Number()),
    connectMs: nullable(Type.Number()),
    tlsMs: nullable(Type.Number()),
    firstByteMs: nullable(Type.Number()),
  }),
});
export type AttemptInfo = Static<typeof AttemptInfo>;

export const DeliveryDetail = Type.Interface([DeliveryInfo], {
  /** The body of every attempt, byte for byte. */
  body: Type.String(),
  /** The newest attempts, in chronological order. */
  attempts: list(AttemptInfo),
});
export type DeliveryDetail = Static<typeof DeliveryDetail>;

export const RedeliveryInfo = Type.Object({
  /**
   * `started`: a new delivery begins; `requested`: the next attempt is made now; `under_way`: an
   * attempt was already running.
   */
  outcome: oneOf(['started', 'requested', 'under_way']),
  /** The delivery that sends. */
  deliveryId: Type.String(),
});
export type RedeliveryInfo = Static<typeof RedeliveryInfo>;

/** The events that a replay is for. */
export const ReplayRange = Type.Object({
  since: Moment,
  /** Now if omitted. */
  until: Type.Optional(Moment),
  /** `failed` leaves out events that were never tried, because the endpoint was disabled. */
  only: Type.Optional(oneOf(['failed'])),
});
export type ReplayRange = Static<typeof ReplayRange>;

/** What a replay requested now would do. */
export const ReplayPreviewInfo = Type.Object({
  since: Type.Number(),
  until: Type.Number(),
  /** Events it would examine. */
  events: Type.Number(),
  /** Events it would send. */
  due: Type.Number(),
  /** There are more than were counted. */
  isCut: Type.Boolean(),
});
export type ReplayPreviewInfo = Static<typeof ReplayPreviewInfo>;

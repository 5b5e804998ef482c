/**
 * Webhook endpoints and their delivery log. Owners change endpoints; staff can read them and resend
 * events.
 */

import type { Mode } from './desk.ts';

export interface EndpointInfo {
  readonly id: string;
  readonly url: string;
  readonly events: readonly string[];
  /** Receives events of live payments, test payments, or both. */
  readonly modes: readonly Mode[];
  /** The merchant's description; may be empty. */
  readonly description: string;
  readonly enabled: boolean;
  readonly disabledAt: number | null;
  /** `failing` when the service disabled it. */
  readonly disabledBecause: 'merchant' | 'failing' | null;
  /** Whether the service may disable it after days without a success. */
  readonly disablesItself: boolean;
  /** Time of the first failed attempt since the last success; null while it works. */
  readonly failingSince: number | null;
  readonly secretChangedAt: number;
  /**
   * Until when the previous secret also signs, which may be in the past; null unless the secret was
   * rotated with an overlap.
   */
  readonly previousSecretUntil: number | null;
  readonly createdAt: number;
  readonly health: EndpointHealthInfo;
}

export interface EndpointHealthInfo {
  readonly lastSuccessAt: number | null;
  readonly lastFailure: {
    readonly at: number;
    readonly kind: string;
    readonly status: number | null;
    readonly detail: string;
  } | null;
  /** Failed attempts since the last success. */
  readonly failuresInARow: number;
}

/** GET `merchant/webhooks`, oldest first. */
export interface EndpointList {
  readonly endpoints: readonly EndpointInfo[];
  readonly eventTypes: readonly string[];
  /** The default subscription. */
  readonly defaultEvents: readonly string[];
}

/** GET `merchant/webhooks/:id`. */
export interface EndpointDetail {
  readonly endpoint: EndpointInfo;
  readonly eventTypes: readonly string[];
  readonly defaultEvents: readonly string[];
  readonly counts: {
    /** Deliveries started in the last 24 hours, by outcome. */
    readonly delivered: number;
    readonly failed: number;
    /** Waiting for their next attempt. */
    readonly waiting: number;
    /** Events it would have received since it was disabled. */
    readonly held: number;
    /** Upper limit of each count. */
    readonly most: number;
  };
  /** The most recent replay. */
  readonly replay: ReplayInfo | null;
  readonly maxReplayDays: number;
}

/** POST `merchant/webhooks`; returns `EndpointSecret`. */
export interface NewEndpointBody {
  readonly url: string;
  /** Omitted: the default. */
  readonly events?: readonly string[];
  readonly modes: readonly Mode[];
  readonly description?: string;
  readonly disablesItself?: boolean;
}

/**
 * PATCH `merchant/webhooks/:id`; omitted fields stay unchanged. Returns `{id}`. DELETE of the same
 * path returns nothing.
 */
export interface EndpointChangesBody {
  readonly url?: string;
  readonly events?: readonly string[];
  readonly modes?: readonly Mode[];
  readonly description?: string;
  readonly enabled?: boolean;
  readonly disablesItself?: boolean;
}

/**
 * POST `merchant/webhooks/:id/secret`, which ends the previous secret immediately. The secret is
 * returned only once.
 */
export interface EndpointSecret {
  readonly id: string;
  readonly secret: string;
}

/** POST `merchant/webhooks/:id/rotate-secret`; returns `EndpointSecret`. */
export interface RotateSecretBody {
  /** Whole hours, 1 to 24, for which the previous secret also signs. */
  readonly overlapHours: number;
}

/** POST `merchant/webhooks/:id/test` with `{event}`. */
export interface TestEventInfo {
  readonly eventId: string;
  readonly event: string;
  readonly deliveryId: string;
}

export type DeliveryState = 'sending' | 'waiting' | 'delivered' | 'failed';

/** The delivery of one event to one endpoint, in progress or ended. */
export interface DeliveryInfo {
  readonly id: string;
  readonly endpointId: string;
  readonly eventId: string;
  readonly event: string;
  /** A test event that a user requested. */
  readonly isTest: boolean;
  readonly transactionId: string | null;
  readonly state: DeliveryState;
  /** Number of the current or last attempt; 0 before the first. */
  readonly attempt: number;
  /** HTTP status of the last finished attempt; null without a response. */
  readonly lastStatus: number | null;
  readonly lastFailure: string | null;
  readonly nextAttemptAt: number | null;
  readonly createdAt: number;
  readonly endedAt: number | null;
}

/** GET `merchant/webhooks/:id/deliveries?state=&event=&from=&before=&limit=`, newest first. */
export interface DeliveryPage {
  readonly deliveries: readonly DeliveryInfo[];
  /** `before` of the next page; null on the last. */
  readonly cursor: string | null;
}

/** One POST and its response. Everything in the response is untrusted. */
export interface AttemptInfo {
  readonly attempt: number;
  readonly startedAt: number;
  readonly durationMs: number;
  readonly status: number | null;
  /** Kind of failure; null on success. */
  readonly failure: string | null;
  readonly failureDetail: string | null;
  readonly isProbe: boolean;
  readonly requestHeaders: Readonly<Record<string, string>> | null;
  readonly responseHeaders: Readonly<Record<string, string>> | null;
  readonly responseBody: string | null;
  readonly isResponseCut: boolean;
  readonly peerAddress: string | null;
  /** Phases of the duration; null where they did not take place. */
  readonly timing: {
    readonly dnsMs: number | null;
    readonly connectMs: number | null;
    readonly tlsMs: number | null;
    readonly firstByteMs: number | null;
  };
}

/** GET `merchant/webhooks/deliveries/:deliveryId`. */
export interface DeliveryDetail extends DeliveryInfo {
  /** The body of every attempt, byte for byte. */
  readonly body: string;
  /** The newest attempts, in chronological order. */
  readonly attempts: readonly AttemptInfo[];
}

/** POST `merchant/webhooks/deliveries/:deliveryId/redeliver`. */
export interface RedeliveryInfo {
  /**
   * `started`: a new delivery begins; `requested`: the next attempt is made now; `under_way`: an
   * attempt was already running.
   */
  readonly outcome: 'started' | 'requested' | 'under_way';
  /** The delivery that sends. */
  readonly deliveryId: string;
}

/** GET `merchant/webhooks/:id/replay-preview?since=`: what a replay requested now would do. */
export interface ReplayPreviewInfo {
  readonly since: number;
  /** Events it would examine. */
  readonly events: number;
  /** Events it would send. */
  readonly due: number;
  /** There are more than were counted. */
  readonly isCut: boolean;
}

/**
 * POST `merchant/webhooks/:id/replays` with `{since}`; GET `merchant/webhooks/replays/:replayId`;
 * POST `…/cancel` of it.
 */
export interface ReplayInfo {
  readonly id: string;
  readonly endpointId: string;
  readonly since: number;
  readonly until: number;
  readonly state: 'running' | 'done' | 'cancelled';
  readonly eventsSeen: number;
  readonly eventsSent: number;
  /** Total of events it examines; null when there are too many to count. */
  readonly eventsTotal: number | null;
  readonly createdAt: number;
  readonly endedAt: number | null;
}

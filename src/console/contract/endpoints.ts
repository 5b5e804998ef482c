/** Where a merchant is told what happens, and the log of what they were told. Owners change endpoints; staff look and send again. */

import type { Mode } from './desk.ts';

export interface EndpointInfo {
  readonly id: string;
  readonly url: string;
  readonly events: readonly string[];
  /** Whose events it receives: those of live payments, of test payments, or both. */
  readonly modes: readonly Mode[];
  /** What the merchant calls it; may be empty. */
  readonly description: string;
  readonly enabled: boolean;
  readonly disabledAt: number | null;
  /** `failing` when it was the service that gave it up. */
  readonly disabledBecause: 'merchant' | 'failing' | null;
  /** Whether the service may disable it after days without a success. */
  readonly disablesItself: boolean;
  /** When the first attempt failed since the last success; null while it is well. */
  readonly failingSince: number | null;
  readonly secretChangedAt: number;
  /** Until when the secret before signs too, which may be over; null unless the secret was rotated with overlap. */
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
  /** Attempts that failed since the last success. */
  readonly failuresInARow: number;
}

/** GET `merchant/webhooks`, oldest first. */
export interface EndpointList {
  readonly endpoints: readonly EndpointInfo[];
  readonly eventTypes: readonly string[];
  /** What an endpoint gets that asks for nothing in particular. */
  readonly defaultEvents: readonly string[];
}

/** GET `merchant/webhooks/:id`. */
export interface EndpointDetail {
  readonly endpoint: EndpointInfo;
  readonly eventTypes: readonly string[];
  readonly defaultEvents: readonly string[];
  readonly counts: {
    /** Deliveries that were started in the last 24 hours, by what has become of them. */
    readonly delivered: number;
    readonly failed: number;
    /** Waiting for their next attempt. */
    readonly waiting: number;
    /** Events it would have got since it was disabled. */
    readonly held: number;
    /** Each of the numbers ends here. */
    readonly most: number;
  };
  /** The replay that was asked for last. */
  readonly replay: ReplayInfo | null;
  readonly maxReplayDays: number;
}

/** POST `merchant/webhooks`; answers `EndpointSecret`. */
export interface NewEndpointBody {
  readonly url: string;
  /** Left out: the default. */
  readonly events?: readonly string[];
  readonly modes: readonly Mode[];
  readonly description?: string;
  readonly disablesItself?: boolean;
}

/** PATCH `merchant/webhooks/:id`; what is left out stays as it is. Answers `{id}`. DELETE of the same path answers nothing. */
export interface EndpointChangesBody {
  readonly url?: string;
  readonly events?: readonly string[];
  readonly modes?: readonly Mode[];
  readonly description?: string;
  readonly enabled?: boolean;
  readonly disablesItself?: boolean;
}

/** POST `merchant/webhooks/:id/secret`, which ends the secret before it at once. The secret is answered this once. */
export interface EndpointSecret {
  readonly id: string;
  readonly secret: string;
}

/** POST `merchant/webhooks/:id/rotate-secret`; answers `EndpointSecret`. */
export interface RotateSecretBody {
  /** Whole hours, 1 to 24, for which the secret before signs too. */
  readonly overlapHours: number;
}

/** POST `merchant/webhooks/:id/test` with `{event}`. */
export interface TestEventInfo {
  readonly eventId: string;
  readonly event: string;
  readonly deliveryId: string;
}

export type DeliveryState = 'sending' | 'waiting' | 'delivered' | 'failed';

/** One event on its way to one endpoint, or at its end. */
export interface DeliveryInfo {
  readonly id: string;
  readonly endpointId: string;
  readonly eventId: string;
  readonly event: string;
  /** A sample that somebody asked for. */
  readonly isTest: boolean;
  readonly transactionId: string | null;
  readonly state: DeliveryState;
  /** Number of the attempt under way or last made; 0 when nothing was sent yet. */
  readonly attempt: number;
  /** HTTP status of the last attempt that ended; null when it got no answer. */
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

/** One POST, and what came back. Everything of the answer comes from a stranger. */
export interface AttemptInfo {
  readonly attempt: number;
  readonly startedAt: number;
  readonly durationMs: number;
  readonly status: number | null;
  /** Kind of the failure; null when the endpoint took it. */
  readonly failure: string | null;
  readonly failureDetail: string | null;
  readonly isProbe: boolean;
  readonly requestHeaders: Readonly<Record<string, string>> | null;
  readonly responseHeaders: Readonly<Record<string, string>> | null;
  readonly responseBody: string | null;
  readonly isResponseCut: boolean;
  readonly peerAddress: string | null;
  /** Parts of the duration; null where they did not take place. */
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
  /** The newest ones, in the order they were made. */
  readonly attempts: readonly AttemptInfo[];
}

/** POST `merchant/webhooks/deliveries/:deliveryId/redeliver`. */
export interface RedeliveryInfo {
  /** `started`: another delivery begins; `requested`: the next attempt is made now; `under_way`: one was being made anyway. */
  readonly outcome: 'started' | 'requested' | 'under_way';
  /** The delivery that sends. */
  readonly deliveryId: string;
}

/** GET `merchant/webhooks/:id/replay-preview?since=`: what a replay would do that was asked for now. */
export interface ReplayPreviewInfo {
  readonly since: number;
  /** Events it would look at. */
  readonly events: number;
  /** Those it would send. */
  readonly due: number;
  /** There are more than were counted. */
  readonly isCut: boolean;
}

/** POST `merchant/webhooks/:id/replays` with `{since}`; GET `merchant/webhooks/replays/:replayId`; POST `…/cancel` of it. */
export interface ReplayInfo {
  readonly id: string;
  readonly endpointId: string;
  readonly since: number;
  readonly until: number;
  readonly state: 'running' | 'done' | 'cancelled';
  readonly eventsSeen: number;
  readonly eventsSent: number;
  /** Events it looks at in all; null when there are too many to count. */
  readonly eventsTotal: number | null;
  readonly createdAt: number;
  readonly endedAt: number | null;
}

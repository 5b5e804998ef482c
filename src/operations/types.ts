import type { Mode, UnixMs } from '../../machines/index.ts';
import type { JournalEntry } from '../platform/engine/index.ts';

/** What operators see of actors; the console exchanges the same shapes with its pages. */

/** Filter for actors. Counts and lists use the same predicate: see `predicate.ts`. */
export interface ActorFilter {
  readonly kind: string;
  /** A leaf, or a state including all states inside it. */
  readonly state?: string;
  readonly merchantId?: string;
  /** In their state for at least this long, in ms of wall-clock time. */
  readonly restingMs?: number;
  /** In its state for longer than is normal there: see `dwell-limits.ts`. */
  readonly isOverdue?: boolean;
  /** With a timer that is late: see `late-timers.ts`. */
  readonly isLate?: boolean;
  /** With a pending timer. */
  readonly hasTimer?: boolean;
  /** With an unresolved dead letter. */
  readonly hasFailed?: boolean;
  /** With an attempt or a dead letter that is retried automatically. */
  readonly isRetrying?: boolean;
  readonly mode?: Mode;
  /** The beginning of an id; of a payment also its order id, address or on-chain transaction. */
  readonly search?: string;
}

export interface TimerInfo {
  readonly name: string;
  /** In the actor's own time; null for a timer that waits for a block height. */
  readonly dueAt: UnixMs | null;
  /** In wall-clock time. */
  readonly firesAt: UnixMs | null;
  /** What must have synced past the due time first, such as a network; null for the clock alone. */
  readonly gate: string | null;
  readonly height: number | null;
}

/** What an actor is about, as operators recognise it. Amounts are exact decimal text. */
export interface ActorSubject {
  readonly merchantName: string;
  readonly mode: Mode;
  /** The price of a payment or of a period; null for a delivery. */
  readonly amountFiat: string | null;
  readonly currencyFiat: string | null;
  /** The quoted amount; only payments have one. */
  readonly amountCrypto: string | null;
  /** Null also where the customer chooses the coin. */
  readonly crypto: string | null;
  /**
   * Order id, reference or description as the merchant gave it; of a delivery its event and host.
   */
  readonly label: string | null;
}

export interface ListedActor {
  readonly id: string;
  readonly kind: string;
  readonly state: string;
  readonly merchantId: string | null;
  /** Null when the feature of its kind has no row of it. */
  readonly subject: ActorSubject | null;
  /** When it entered its state. */
  readonly since: UnixMs;
  readonly createdAt: UnixMs;
  readonly steps: number;
  readonly nextTimer: TimerInfo | null;
  readonly deadLetters: number;
}

/** A pending timer and its actor. */
export interface NextTimer extends TimerInfo {
  readonly actorId: string;
  readonly kind: string;
  readonly state: string;
  readonly isLate: boolean;
}

/** Actors that an operator should check: `filter` lists exactly these. */
export interface ActorIssue {
  readonly filter: ActorFilter;
  readonly count: number;
  /** Since when the oldest waits; null if that is unknown. */
  readonly oldestAt: UnixMs | null;
}

export interface ActorPage {
  readonly actors: readonly ListedActor[];
  readonly total: number;
  /** Cursor of the next page; null on the last. */
  readonly cursor: string | null;
}

/** An event that an operator may send. */
export interface AcceptedEvent {
  readonly type: string;
  readonly label: string;
  /** JSON Schema of the fields besides the reason; null for none. */
  readonly fields: Readonly<Record<string, unknown>> | null;
  /** Whether it would change anything now. */
  readonly isEnabled: boolean;
  /** Why it would change nothing now; null if it would. */
  readonly whyNot: string | null;
}

export interface RelatedActor {
  readonly id: string;
  readonly kind: string;
  readonly label: string;
}

export interface ActorDetail extends ListedActor {
  readonly version: string;
  readonly status: string;
  readonly context: unknown;
  readonly timers: readonly TimerInfo[];
  /** How far its clock is ahead of the wall clock, in ms. */
  readonly clockOffsetMs: number;
  /** Replaying its journal gives the stored snapshot. */
  readonly isSound: boolean;
  /** Differences of the stored snapshot from the replay, which is `before`; none if it is sound. */
  readonly drift: readonly JsonChange[];
  /** Events it would accept now, as far as guards can be evaluated. */
  readonly accepts: readonly AcceptedEvent[];
  /** The schedule of a payment, deliveries of its events. */
  readonly related: readonly RelatedActor[];
  /** The usual limit of its state, in ms, when it has been there longer; otherwise null. */
  readonly exceededLimitMs: number | null;
  /** The newest open ones. */
  readonly alerts: readonly Alert[];
}

export interface Alert {
  readonly id: number;
  /** Empty when it concerns no actor. */
  readonly actorId: string;
  readonly alert: string;
  /** With coins in place of base units. */
  readonly detail: string;
  readonly at: UnixMs;
}

export interface JsonChange {
  /** JSON Pointer (RFC 6901). */
  readonly path: string;
  /** Left out when there was no value. */
  readonly before?: unknown;
  /** Left out when there is no longer a value. */
  readonly after?: unknown;
}

export interface RequestedEffect {
  readonly type: string;
  readonly params: unknown;
}

export type EventSource = 'start' | 'chain' | 'timer' | 'merchant' | 'customer' | 'operator' | 'service';

export interface JournalStep extends Omit<JournalEntry, 'event' | 'version'> {
  readonly eventType: string;
  readonly event: unknown;
  /** Origin of the event, from the format of its id. */
  readonly source: EventSource;
}

/** The coin of an actor's amounts. */
export interface CoinUnit {
  readonly symbol: string;
  /** Base units are this many decimal places below one coin. */
  readonly decimals: number;
}

/** The delivery of a webhook to one endpoint. */
export interface StepDelivery {
  readonly id: string;
  readonly event: string;
  readonly state: string;
  /** No sender has claimed it yet, so it has no actor. */
  readonly isOwed: boolean;
}

/** An actor as it was after one step of its journal. */
export interface StepDetail {
  readonly step: JournalStep;
  /** Current email of the user who sent the event; null for no known user, and for a file. */
  readonly byEmail: string | null;
  readonly context: unknown;
  readonly changes: readonly JsonChange[];
  readonly effects: readonly RequestedEffect[];
  /** States and transitions visited so far, with how often. */
  readonly visited: readonly { readonly path: string; readonly count: number }[];
  readonly taken: readonly { readonly transitionId: string; readonly count: number }[];
  /** Null for an actor without amounts. */
  readonly coin: CoinUnit | null;
  /** Deliveries of the webhooks this step caused, in their present state; empty for a file. */
  readonly deliveries: readonly StepDelivery[];
}

/** An event that an operator wants to send. */
export interface EventRequest {
  readonly type: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly reason: string;
  /** Sequence of the step the operator has seen; 409 if it is no longer the newest. */
  readonly seenSequence: number;
  /** Idempotency key: a repeated request sends the event once. */
  readonly requestId: string;
}

/** What an event would do; nothing is changed. */
export interface EventPreview {
  readonly isTaken: boolean;
  readonly state: string;
  readonly changes: readonly JsonChange[];
  readonly effects: readonly RequestedEffect[];
  /** Types of the webhooks that would be sent. */
  readonly webhooks: readonly string[];
  /** Null for an actor without amounts. */
  readonly coin: CoinUnit | null;
}

export interface DeadLetterInfo {
  readonly id: string;
  readonly queue: string;
  readonly actorId: string | null;
  readonly reason: string;
  readonly at: UnixMs;
  readonly data: unknown;
  /** How often it was retried automatically. */
  readonly retries: number;
  /** When it is retried automatically; null for never. */
  readonly retryAt: UnixMs | null;
}

/** An operator: an opaque user id, never a name or an address. */
export interface Operator {
  readonly userId: string;
}

/** Actors, their journals, and events for them. */

/** Which actors to list. The very predicate whose count is shown. */
export interface ActorFilter {
  readonly kind: string;
  readonly state?: string;
  readonly merchantId?: string;
  /** In their state for at least this long, in ms. */
  readonly restingMs?: number;
  /** With a timer that was due and has not fired. */
  readonly isLate?: boolean;
  /** With a dead letter. */
  readonly hasFailed?: boolean;
  /** An id, or the beginning of one. */
  readonly search?: string;
}

export interface ActorRow {
  readonly id: string;
  readonly kind: string;
  readonly state: string;
  readonly merchantId: string | null;
  /** Since when it is in its state. */
  readonly since: number;
  readonly createdAt: number;
  readonly steps: number;
  readonly nextTimer: TimerInfo | null;
  readonly deadLetters: number;
}

export interface ActorPage {
  readonly actors: readonly ActorRow[];
  readonly total: number;
  /** Of the next page; null on the last. */
  readonly cursor: string | null;
}

export interface TimerInfo {
  readonly name: string;
  /** In the actor's own time; null for one that waits for a height. */
  readonly dueAt: number | null;
  /** By the wall clock. */
  readonly firesAt: number | null;
  /** What must have looked past it, like a network; null for the clock alone. */
  readonly gate: string | null;
  readonly height: number | null;
}

export interface ActorDetail extends ActorRow {
  readonly version: string;
  readonly status: string;
  readonly context: unknown;
  readonly timers: readonly TimerInfo[];
  /** How far its clock is ahead of the wall clock, in ms. */
  readonly clockOffsetMs: number;
  /** The fold of its journal equals what is stored. */
  readonly isSound: boolean;
  /** Events that would be taken now, as far as guards can be asked. */
  readonly accepts: readonly AcceptedEvent[];
  /** What belongs to it: the schedule of a payment, deliveries of its events. */
  readonly related: readonly { readonly id: string; readonly kind: string; readonly label: string }[];
}

export interface JournalStep {
  readonly sequence: number;
  readonly at: number;
  readonly eventId: string;
  readonly eventType: string;
  readonly event: unknown;
  readonly outcome: 'started' | 'applied' | 'ignored' | 'failed';
  /** Leaf after it. */
  readonly state: string;
  readonly error: string | null;
  /** Where it came from, by the form of its id. */
  readonly source: 'start' | 'chain' | 'timer' | 'merchant' | 'customer' | 'operator' | 'service';
}

/** An actor as it was after one step of its journal. */
export interface PastMoment {
  readonly step: JournalStep;
  readonly context: unknown;
  /** What the step changed, as JSON Pointers (RFC 6901) with the values before and after; absent ones are left out. */
  readonly changes: readonly { readonly path: string; readonly before?: unknown; readonly after?: unknown }[];
  readonly effects: readonly { readonly type: string; readonly params: unknown }[];
  /** States and transitions visited up to here, with how often. */
  readonly visited: readonly { readonly path: string; readonly count: number }[];
  readonly taken: readonly { readonly transitionId: string; readonly count: number }[];
}

/** An event an operator may send. */
export interface AcceptedEvent {
  readonly type: string;
  readonly label: string;
  /** JSON Schema of what is to be filled in beside the reason; null for nothing. */
  readonly fields: Readonly<Record<string, unknown>> | null;
  /** Whether it would change anything now. */
  readonly isEnabled: boolean;
}

export interface EventRequest {
  readonly type: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly reason: string;
  /** Sequence of the step the operator was looking at; another one answers 409. */
  readonly seenSequence: number;
  /** Makes a repeated send one send. */
  readonly requestId: string;
}

/** What sending it would do, computed by the chart itself; nothing is changed by asking. */
export interface EventPreview {
  readonly isTaken: boolean;
  readonly state: string;
  readonly changes: PastMoment['changes'];
  readonly effects: PastMoment['effects'];
  /** Types of the webhooks that will be sent. */
  readonly webhooks: readonly string[];
}

/** Pushed as server-sent events by `/console/api/live`; ids allow resuming with Last-Event-ID. */
export interface LiveChange {
  readonly kind: string;
  readonly actorId: string;
  readonly sequence: number;
  readonly state: string;
  readonly at: number;
}

/** GET `actors/:id/journal?after=`, oldest first. */
export interface JournalPage {
  readonly steps: readonly JournalStep[];
  /** `after` of the next page; null on the last. */
  readonly next: number | null;
}

/** An exported journal, folded by the charts of the server. POST `journals/read` with the file answers this and keeps nothing. */
export interface OfflineJournal {
  readonly actorId: string;
  readonly kind: string;
  readonly steps: readonly JournalStep[];
  /** The actor after each of the steps. */
  readonly moments: readonly PastMoment[];
  /** The steps lead to where the file says the actor stood. */
  readonly isSound: boolean;
}

/** POST `actors/:id/events` answers this. */
export interface SentEvent {
  readonly outcome: 'applied' | 'ignored';
  readonly state: string;
}

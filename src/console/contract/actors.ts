/** Actors, their journals, and events sent to them. */

/** Filter of a list of actors. The count shown uses the same predicate. */
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
  /** An id, or a prefix of one. */
  readonly search?: string;
}

export interface ActorRow {
  readonly id: string;
  readonly kind: string;
  readonly state: string;
  readonly merchantId: string | null;
  /** When it entered its state. */
  readonly since: number;
  readonly createdAt: number;
  readonly steps: number;
  readonly nextTimer: TimerInfo | null;
  readonly deadLetters: number;
}

export interface ActorPage {
  readonly actors: readonly ActorRow[];
  readonly total: number;
  /** Cursor of the next page; null on the last. */
  readonly cursor: string | null;
}

export interface TimerInfo {
  readonly name: string;
  /** In the actor's time; null for a timer that waits for a height. */
  readonly dueAt: number | null;
  /** In wall-clock time. */
  readonly firesAt: number | null;
  /** What must have synced past the due time first, such as a network; null for the clock alone. */
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
  /** Replaying its journal gives the stored snapshot. */
  readonly isSound: boolean;
  /** Events it would accept now, as far as guards can be evaluated. */
  readonly accepts: readonly AcceptedEvent[];
  /** Related actors: the schedule of a payment, deliveries of its events. */
  readonly related: readonly { readonly id: string; readonly kind: string; readonly label: string }[];
}

export interface JournalStep {
  readonly sequence: number;
  readonly at: number;
  readonly eventId: string;
  readonly eventType: string;
  readonly event: unknown;
  readonly outcome: 'started' | 'applied' | 'ignored' | 'failed';
  /** Leaf state after the step. */
  readonly state: string;
  readonly error: string | null;
  /** Origin of the event, from the format of its id. */
  readonly source: 'start' | 'chain' | 'timer' | 'merchant' | 'customer' | 'operator' | 'service';
}

/** An actor as it was after one step of its journal. */
export interface PastMoment {
  readonly step: JournalStep;
  readonly context: unknown;
  /**
   * Changes of the step, as JSON Pointers (RFC 6901) with the values before and after; missing
   * values are omitted.
   */
  readonly changes: readonly { readonly path: string; readonly before?: unknown; readonly after?: unknown }[];
  readonly effects: readonly { readonly type: string; readonly params: unknown }[];
  /** States and transitions visited so far, with how often. */
  readonly visited: readonly { readonly path: string; readonly count: number }[];
  readonly taken: readonly { readonly transitionId: string; readonly count: number }[];
}

/** An event that an operator may send. */
export interface AcceptedEvent {
  readonly type: string;
  readonly label: string;
  /** JSON Schema of the fields besides the reason; null for none. */
  readonly fields: Readonly<Record<string, unknown>> | null;
  /** Whether it would change anything now. */
  readonly isEnabled: boolean;
}

export interface EventRequest {
  readonly type: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly reason: string;
  /** Sequence of the step the operator has seen; 409 if it is no longer the newest. */
  readonly seenSequence: number;
  /** Idempotency key: a repeated request sends the event once. */
  readonly requestId: string;
}

/** The result of sending an event, computed by the chart; nothing is changed. */
export interface EventPreview {
  readonly isTaken: boolean;
  readonly state: string;
  readonly changes: PastMoment['changes'];
  readonly effects: PastMoment['effects'];
  /** Types of the webhooks that will be sent. */
  readonly webhooks: readonly string[];
}

/** Sent as server-sent events by `/console/api/live`; ids allow resuming with Last-Event-ID. */
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

/**
 * An exported journal, replayed with the server's charts. Response of POST `journals/read` with the
 * file, which is not stored.
 */
export interface OfflineJournal {
  readonly actorId: string;
  readonly kind: string;
  readonly steps: readonly JournalStep[];
  /** The actor after each step. */
  readonly moments: readonly PastMoment[];
  /** Replaying the steps gives the snapshot in the file. */
  readonly isSound: boolean;
}

/** Response of POST `actors/:id/events`. */
export interface SentEvent {
  readonly outcome: 'applied' | 'ignored';
  readonly state: string;
}

import type { UnixMs } from '../../machines/index.ts';
import type { ChartDescription } from '../engine/index.ts';

/**
 * What operators see of actors. The console's contract has the same shapes; the compiler checks
 * this where the console is bound to the use cases.
 */

/** A chart that actors run. */
export type ChartInfo = ChartDescription;

/** Filter for actors. Counts and lists use the same predicate: see `predicate.ts`. */
export interface ActorFilter {
  readonly kind: string;
  /** A leaf, or a state including all states inside it. */
  readonly state?: string;
  readonly merchantId?: string;
  /** In their state for at least this long, in ms of wall-clock time. */
  readonly restingMs?: number;
  /** With a timer that is late: see `late-timers.ts`. */
  readonly isLate?: boolean;
  /** With an unresolved dead letter. */
  readonly hasFailed?: boolean;
  /** An id or the prefix of one. */
  readonly search?: string;
}

export interface TimerInfo {
  readonly name: string;
  /** In the actor's own time; null for a timer that waits for a block height. */
  readonly dueAt: UnixMs | null;
  readonly firesAt: UnixMs | null;
  readonly gate: string | null;
  readonly height: number | null;
}

export interface ActorRow {
  readonly id: string;
  readonly kind: string;
  readonly state: string;
  readonly merchantId: string | null;
  readonly since: UnixMs;
  readonly createdAt: UnixMs;
  readonly steps: number;
  readonly nextTimer: TimerInfo | null;
  readonly deadLetters: number;
}

export interface ActorPage {
  readonly actors: readonly ActorRow[];
  readonly total: number;
  readonly cursor: string | null;
}

export interface AcceptedEvent {
  readonly type: string;
  readonly label: string;
  readonly fields: Readonly<Record<string, unknown>> | null;
  readonly isEnabled: boolean;
}

export interface RelatedActor {
  readonly id: string;
  readonly kind: string;
  readonly label: string;
}

export interface ActorDetail extends ActorRow {
  readonly version: string;
  readonly status: string;
  readonly context: unknown;
  readonly timers: readonly TimerInfo[];
  readonly clockOffsetMs: number;
  readonly isSound: boolean;
  readonly accepts: readonly AcceptedEvent[];
  readonly related: readonly RelatedActor[];
}

export interface Change {
  /** JSON Pointer (RFC 6901). */
  readonly path: string;
  /** Left out when there was no value. */
  readonly before?: unknown;
  /** Left out when there is no value any more. */
  readonly after?: unknown;
}

export interface AskedEffect {
  readonly type: string;
  readonly params: unknown;
}

export type EventSource = 'start' | 'chain' | 'timer' | 'merchant' | 'customer' | 'operator' | 'service';

export interface JournalStep {
  readonly sequence: number;
  readonly at: UnixMs;
  readonly eventId: string;
  readonly eventType: string;
  readonly event: unknown;
  readonly outcome: 'started' | 'applied' | 'ignored' | 'failed';
  readonly state: string;
  readonly error: string | null;
  readonly source: EventSource;
}

export interface PastMoment {
  readonly step: JournalStep;
  readonly context: unknown;
  readonly changes: readonly Change[];
  readonly effects: readonly AskedEffect[];
  readonly visited: readonly { readonly path: string; readonly count: number }[];
  readonly taken: readonly { readonly transitionId: string; readonly count: number }[];
}

/** An event that an operator wants to send. */
export interface EventRequest {
  readonly type: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly reason: string;
  readonly seenSequence: number;
  readonly requestId: string;
}

export interface EventPreview {
  readonly isTaken: boolean;
  readonly state: string;
  readonly changes: readonly Change[];
  readonly effects: readonly AskedEffect[];
  readonly webhooks: readonly string[];
}

export interface DeadLetterInfo {
  readonly id: string;
  readonly queue: string;
  readonly actorId: string | null;
  readonly reason: string;
  readonly at: UnixMs;
  readonly data: unknown;
}

/** An operator: an opaque user id, never a name or an address. */
export interface Operator {
  readonly userId: string;
}

/**
 * What the console's pages and its server say to each other: JSON over `/console/api`. Types alone, so that both sides can import
 * them. Moments are Unix milliseconds. Every answer is `{data}`, or `{error, message}` with a status that says the same.
 */

/** Who is signed in, and what they may do. */
export type Role = 'owner' | 'staff' | 'operator' | 'observer';

export interface SignedIn {
  readonly userId: string;
  readonly email: string;
  readonly role: Role;
  /** Null for those who run the service. */
  readonly merchant: { readonly id: string; readonly name: string } | null;
  readonly hasTotp: boolean;
  /** Recovery codes that are left. */
  readonly recoveryCodes: number;
}

export interface SessionInfo {
  readonly id: string;
  readonly createdAt: number;
  readonly lastSeenAt: number;
  /** As the browser names itself; text of a stranger. */
  readonly userAgent: string;
  readonly isThisOne: boolean;
}

/** A chart that actors run. */
export interface ChartInfo {
  /** `transaction`, `delivery`, `schedule`. */
  readonly kind: string;
  readonly version: string;
  readonly description: string;
  readonly states: readonly StateInfo[];
  readonly transitions: readonly TransitionInfo[];
}

export interface StateInfo {
  /** Leaf or branch, like `open.inReview`; the root is ''. */
  readonly path: string;
  readonly parent: string | null;
  readonly type: 'atomic' | 'compound' | 'final';
  readonly isInitial: boolean;
  readonly description: string;
  /** What ends the waiting there, as the chart's `meta` says; null when it does not. */
  readonly waitsFor: string | null;
  /** Names of effects asked for on the way in and out. */
  readonly entry: readonly string[];
  readonly exit: readonly string[];
}

export interface TransitionInfo {
  /** Stable within a chart version. */
  readonly id: string;
  readonly from: string;
  /** Null stays where it is. */
  readonly to: string | null;
  /** Event type; `always` for those without an event. */
  readonly event: string;
  readonly guard: string | null;
  readonly actions: readonly string[];
  /** Place among the transitions of this event: the first whose guard holds is taken. */
  readonly order: number;
}

/** Where everything of a chart is drawn. Computed once per chart version. Units are CSS pixels. */
export interface ChartLayout {
  readonly kind: string;
  readonly version: string;
  readonly width: number;
  readonly height: number;
  readonly states: readonly (Box & { readonly path: string })[];
  /** An event is a node of its own between two states, so that long names stay readable. */
  readonly events: readonly (Box & { readonly transitionId: string })[];
  readonly edges: readonly {
    readonly id: string;
    readonly transitionId: string;
    readonly points: readonly Point[];
    readonly hasArrow: boolean;
  }[];
  /** Dots that mark where a chart or a branch begins, with the way from the dot to that state. */
  readonly initials: readonly { readonly state: string; readonly dot: Box; readonly points: readonly Point[] }[];
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Box extends Point {
  readonly width: number;
  readonly height: number;
}

/** How many actors rest in each leaf, and for how long. */
export interface Population {
  readonly kind: string;
  readonly at: number;
  readonly leaves: readonly {
    readonly state: string;
    readonly count: number;
    /** Since when the longest resting one is there. */
    readonly oldestAt: number;
    /** Of how long they have been there, in ms. */
    readonly p50Ms: number;
    readonly p95Ms: number;
    /** How many have been there beyond what is usual for this state; null where nothing is. */
    readonly overdue: number | null;
  }[];
}

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

export interface DeadLetterInfo {
  readonly id: string;
  readonly queue: string;
  readonly actorId: string | null;
  readonly reason: string;
  readonly at: number;
  readonly data: unknown;
}

/** How everything around the actors is doing. */
export interface SystemHealth {
  readonly at: number;
  readonly chains: readonly {
    readonly network: string;
    readonly state: string;
    readonly tip: number | null;
    readonly lagBlocks: number | null;
    readonly lookedAt: number | null;
  }[];
  readonly rates: readonly {
    readonly source: string;
    readonly succeededAt: number | null;
    readonly failedAt: number | null;
    readonly failure: string | null;
  }[];
  readonly bus: { readonly answers: boolean };
  readonly outbox: { readonly waiting: number; readonly oldestAt: number | null };
  readonly timers: { readonly late: number; readonly oldestDueAt: number | null };
  readonly deadLetters: number;
  readonly mails: { readonly waiting: number; readonly failed: number };
  readonly alerts: readonly {
    readonly actorId: string;
    readonly alert: string;
    readonly detail: string;
    readonly at: number;
  }[];
}

/** Pushed as server-sent events by `/console/api/live`; ids allow resuming with Last-Event-ID. */
export interface LiveChange {
  readonly kind: string;
  readonly actorId: string;
  readonly sequence: number;
  readonly state: string;
  readonly at: number;
}

// Accounts. Beside each type, the request it belongs to. Whatever answers nothing answers `{data: null}`.

/** POST `sign-in`, answers `SignedIn`. 401 `CODE_REQUIRED` once the password was right and a code is needed. */
export interface SignInBody {
  readonly email: string;
  readonly password: string;
  /** Six digits of the authenticator app, or a recovery code. */
  readonly code?: string;
}

/** GET `sign-up`: whether anybody can make an account. */
export interface SignUpInfo {
  readonly isOpen: boolean;
}

/** POST `sign-up`; the account is made by POST `sign-up/confirm` with `{token}` of the link `/console/sign-up/confirm/<token>`. */
export interface SignUpBody {
  readonly email: string;
  readonly password: string;
  readonly merchantName: string;
}

/** POST `password-reset/confirm`, with the token of the link `/console/reset-password/<token>`. `password-reset/request` takes `{email}`. */
export interface PasswordResetBody {
  readonly token: string;
  readonly password: string;
}

/** POST `password`: `password` is the new one. */
export interface PasswordBody {
  readonly currentPassword: string;
  readonly password: string;
}

/** Answer of POST `totp/begin` with `{password}`. POST `totp/confirm` takes `{code}`. */
export interface TotpBegun {
  /** Base32, for apps that cannot scan. */
  readonly secret: string;
  /** What the QR code says. */
  readonly uri: string;
}

/** POST `totp/disable` and POST `recovery-codes`. */
export interface BothFactorsBody {
  readonly password: string;
  readonly code: string;
}

/** Answer of POST `totp/confirm` and POST `recovery-codes`: shown once. */
export interface RecoveryCodes {
  readonly recoveryCodes: readonly string[];
}

/** One of GET `users`; an operator may ask for those of `?merchantId=` alone. */
export interface UserInfo {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly merchant: { readonly id: string; readonly name: string } | null;
  readonly hasTotp: boolean;
  /** Has a link by mail and has not chosen a password yet. */
  readonly isInvited: boolean;
  readonly isDisabled: boolean;
  readonly createdAt: number;
}

/** POST `users`, answers `{id}`; the user gets a link by mail. */
export interface NewUserBody {
  readonly email: string;
  readonly role: Role;
  /** Of an operator alone: an owner's is their own. */
  readonly merchantId?: string;
}

/** PATCH `users/:id`; what is left out stays. */
export interface UserChangesBody {
  readonly role?: Role;
  readonly isDisabled?: boolean;
}

/** GET `actors/:id/journal?after=`, oldest first. */
export interface JournalPage {
  readonly steps: readonly JournalStep[];
  /** `after` of the next page; null on the last. */
  readonly next: number | null;
}

/** GET `dead-letters?cursor=`, oldest first. */
export interface DeadLetterPage {
  readonly letters: readonly DeadLetterInfo[];
  readonly total: number;
  readonly cursor: string | null;
}

/** POST `dead-letters/:id/retry` and `dead-letters/:id/dismiss`; answers `{outcome}`. */
export interface LetterBody {
  readonly reason: string;
  /** Makes a repeated request one request. */
  readonly requestId: string;
}

/** POST `actors/:id/events` answers this. */
export interface SentEvent {
  readonly outcome: 'applied' | 'ignored';
  readonly state: string;
}

/** What a run does to each of its items. */
export type RunTask =
  | { readonly what: 'send_event'; readonly type: string; readonly fields: Readonly<Record<string, unknown>> }
  | { readonly what: 'retry_dead_letter' };

/** The same thing done to many. GET `runs` lists the newest; POST `runs/:id/start`, `pause` and `cancel` answer one. */
export interface RunInfo {
  readonly id: string;
  readonly task: RunTask;
  /** Null for all open dead letters. */
  readonly filter: ActorFilter | null;
  readonly reason: string;
  /** Nothing is done before it is started. */
  readonly state: 'planned' | 'running' | 'paused' | 'cancelled' | 'done';
  readonly total: number;
  /** How many items ended how; those that are left are in none. */
  readonly outcomes: Readonly<Record<string, number>>;
  readonly createdAt: number;
  readonly endedAt: number | null;
}

/** POST `runs`: writes down what would be done, and to whom. */
export interface RunBody {
  readonly task: RunTask;
  /** For events alone: which actors get it. */
  readonly filter?: ActorFilter;
  readonly reason: string;
  /** Makes a repeated request one run. */
  readonly requestId?: string;
}

/** A mail that was kept and never sent. */
export interface KeptMailInfo {
  readonly id: string;
  readonly at: number;
  readonly recipient: string;
  /** Null for the installation's own. */
  readonly fromName: string | null;
  readonly subject: string;
}

export interface KeptMail extends KeptMailInfo {
  readonly text: string;
}

export interface KeptMailPage {
  readonly mails: readonly KeptMailInfo[];
  readonly cursor: string | null;
}

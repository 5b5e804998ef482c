import type { ActorFilter } from './actors.ts';

/** What those who run the service look after: dead letters, bulk runs, health, kept mails. */

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

/** GET `dead-letters?cursor=&queue=&reason=`, oldest first; `reason` is part of one. */
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

/** What a run does to each of its items. */
export type RunTask =
  | { readonly what: 'send_event'; readonly type: string; readonly fields: Readonly<Record<string, unknown>> }
  /** All open dead letters, or those of one queue. */
  | { readonly what: 'retry_dead_letter'; readonly queue?: string };

/** The same thing done to many. GET `runs` lists the newest; POST `runs/:id/start`, `pause` and `cancel` answer one. */
export interface RunInfo {
  readonly id: string;
  readonly task: RunTask;
  /** Null for dead letters. */
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
  /** Null for mails to logins: their links open accounts, and operators open none. */
  readonly text: string | null;
}

export interface KeptMailPage {
  readonly mails: readonly KeptMailInfo[];
  readonly cursor: string | null;
}

import type { ActorConcern, ActorFilter, RunTask, SetupGap } from '../../operations/index.ts';

/** What operators manage: dead letters, bulk runs, health, stored mails. */

export type { SetupGap } from '../../operations/index.ts';

/** Health of everything the actors depend on. */
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
  readonly bus: {
    readonly answers: boolean;
    readonly waiting: readonly { readonly queue: string; readonly count: number }[];
  };
  readonly outbox: { readonly waiting: number; readonly oldestAt: number | null };
  readonly timers: { readonly late: number; readonly oldestDueAt: number | null };
  readonly deadLetters: { readonly open: number; readonly oldestAt: number | null };
  /** Merchants with a webhook endpoint that fails now, and since when the first one does. */
  readonly failingEndpoints: { readonly merchants: number; readonly since: number | null };
  readonly mails: { readonly waiting: number; readonly failed: number };
  readonly alerts: readonly {
    readonly actorId: string;
    readonly alert: string;
    readonly detail: string;
    readonly at: number;
  }[];
  /** Actors that an operator should check, by the filter that lists exactly these. */
  readonly concerns: readonly ActorConcern[];
  /** What the installation still needs, in the order to provide it. */
  readonly missing: readonly SetupGap[];
}

/** GET `dead-letters?cursor=&queue=&reason=`, oldest first; `reason` matches a substring. */
export type { DeadLetterInfo, DeadLetterPage, RunTask } from '../../operations/index.ts';

/** POST `dead-letters/:id/retry` and `dead-letters/:id/dismiss`; returns `{outcome}`. */
export interface LetterBody {
  readonly reason: string;
  /** Idempotency key. */
  readonly requestId: string;
}

/**
 * A bulk run. GET `runs` lists the newest; POST `runs/:id/start`, `pause` and `cancel` return one.
 */
export interface RunInfo {
  readonly id: string;
  readonly task: RunTask;
  /** Null for dead letters. */
  readonly filter: ActorFilter | null;
  readonly reason: string;
  /** `planned` runs do nothing until they are started. */
  readonly state: 'planned' | 'running' | 'paused' | 'cancelled' | 'done';
  readonly total: number;
  /** Number of items by outcome, without those still to do. */
  readonly outcomes: Readonly<Record<string, number>>;
  readonly createdAt: number;
  readonly endedAt: number | null;
}

/** POST `runs`: plans a run and stores what it would do, and to which items. */
export interface RunBody {
  readonly task: RunTask;
  /** Only for events: the actors that receive it. */
  readonly filter?: ActorFilter;
  readonly reason: string;
  /** Idempotency key. */
  readonly requestId?: string;
}

/** A mail that was stored and never sent. */
export interface KeptMailInfo {
  readonly id: string;
  readonly at: number;
  readonly recipient: string;
  /** Null for mails of the installation itself. */
  readonly fromName: string | null;
  readonly subject: string;
}

export interface KeptMail extends KeptMailInfo {
  /**
   * Null for mails to users: their links give access to accounts, which operators must not have.
   */
  readonly text: string | null;
}

export interface KeptMailPage {
  readonly mails: readonly KeptMailInfo[];
  readonly cursor: string | null;
}

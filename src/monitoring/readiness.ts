import { createCachedReading } from './cached-reading.ts';

/**
 * Whether this process should receive work.
 *
 * - starting: not all parts of its roles are running yet
 * - ready: all are running, and the database answers; nothing works without it
 * - draining: shutting down; there is no way back
 *
 * NATS and the coin nodes do not count: payments are accepted without them, so refusing customers
 * would only make an outage worse.
 */
export interface Readiness {
  /** Everything is running. No effect on a draining process. */
  open(): void;
  drain(): void;
  read(): Promise<ReadinessAnswer>;
}

export type ReadinessAnswer = { readonly isReady: true } | { readonly isReady: false; readonly reason: Unreadiness };

export type Unreadiness = 'starting' | 'draining' | 'database';

export interface ReadinessDeps {
  /** Whether the database answers. */
  readonly askDatabase: () => Promise<boolean>;
  /** How long an answer of the database is cached; default `KEEP_ANSWER_MS`. */
  readonly keepAnswerMs?: number;
}

/** Short, so that the next probe notices an outage; long enough that many probes cost one query. */
const KEEP_ANSWER_MS = 1_000;
/** A database that takes longer counts as unavailable. */
const ANSWER_WITHIN_MS = 2_000;

export function createReadiness({ askDatabase, keepAnswerMs = KEEP_ANSWER_MS }: ReadinessDeps): Readiness {
  const database = createCachedReading({ ask: askDatabase, keepMs: keepAnswerMs, timeoutMs: ANSWER_WITHIN_MS });
  let state: 'starting' | 'ready' | 'draining' = 'starting';

  return {
    open() {
      if (state === 'starting') state = 'ready';
    },
    drain() {
      state = 'draining';
    },
    async read() {
      if (state !== 'ready') return { isReady: false, reason: state };
      const answers = (await database.read()) === true;
      // Draining may have begun during the query.
      if (state !== 'ready') return { isReady: false, reason: state };
      return answers ? { isReady: true } : { isReady: false, reason: 'database' };
    },
  };
}

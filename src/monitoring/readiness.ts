import { createCachedReading } from './cached-reading.ts';

/**
 * Whether this process should receive work.
 *
 * - starting: not all parts of its roles are running yet
 * - ready: all are running, and the database responds; nothing works without it
 * - draining: shutting down; there is no way back
 *
 * NATS and the coin nodes do not count: payments are accepted without them, so refusing customers
 * would only make an outage worse.
 */
export interface Readiness {
  /** Everything is running. No effect on a draining process. */
  open(): void;
  drain(): void;
  read(): Promise<ReadinessResponse>;
}

export type ReadinessResponse = { readonly isReady: true } | { readonly isReady: false; readonly reason: Unreadiness };

export type Unreadiness = 'starting' | 'draining' | 'database';

export interface ReadinessDeps {
  readonly pingDatabase: () => Promise<boolean>;
  /** How long a response of the database is cached; default `KEEP_RESPONSE_MS`. */
  readonly keepResponseMs?: number;
}

/** Short, so that the next probe notices an outage; long enough that many probes cost one query. */
const KEEP_RESPONSE_MS = 1_000;
/** A database that takes longer counts as unavailable. */
const RESPONSE_WITHIN_MS = 2_000;

export function createReadiness({ pingDatabase, keepResponseMs = KEEP_RESPONSE_MS }: ReadinessDeps): Readiness {
  const database = createCachedReading({ ask: pingDatabase, keepMs: keepResponseMs, timeoutMs: RESPONSE_WITHIN_MS });
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
      const responds = (await database.read()) === true;
      // Draining may have begun during the query.
      if (state !== 'ready') return { isReady: false, reason: state };
      return responds ? { isReady: true } : { isReady: false, reason: 'database' };
    },
  };
}

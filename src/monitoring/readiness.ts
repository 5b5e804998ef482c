import { createKeptReading } from './kept-reading.ts';

/**
 * Whether this process should be given work.
 *
 * - starting: not everything it is asked to do runs yet
 * - ready: it does; and the database answers, without which nothing can be done
 * - draining: it ends. There is no way back
 *
 * NATS and the coin nodes are no part of it: without them payments are taken all the same, so turning customers away would
 * only make an outage worse.
 */
export interface Readiness {
  /** Everything runs. Without effect on a process that drains. */
  open(): void;
  drain(): void;
  read(): Promise<ReadinessAnswer>;
}

export type ReadinessAnswer = { readonly isReady: true } | { readonly isReady: false; readonly reason: Unreadiness };

export type Unreadiness = 'starting' | 'draining' | 'database';

export interface ReadinessDeps {
  /** Whether the database answers. */
  readonly askDatabase: () => Promise<boolean>;
  /** For how long an answer of the database is believed; default `KEEP_ANSWER_MS`. */
  readonly keepAnswerMs?: number;
}

/** Short, so that who watches notices an outage at its next question; long enough for many who ask at once to cost one. */
const KEEP_ANSWER_MS = 1_000;
/** A database that takes longer to say hello is no help to anybody. */
const ANSWER_WITHIN_MS = 2_000;

export function createReadiness({ askDatabase, keepAnswerMs = KEEP_ANSWER_MS }: ReadinessDeps): Readiness {
  const database = createKeptReading({ ask: askDatabase, keepMs: keepAnswerMs, timeoutMs: ANSWER_WITHIN_MS });
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
      // It may have begun to drain during the question.
      if (state !== 'ready') return { isReady: false, reason: state };
      return answers ? { isReady: true } : { isReady: false, reason: 'database' };
    },
  };
}

import { sql } from 'kysely';
import { MAX_DEAD_LETTER_RETRIES } from '../../platform/engine/index.ts';
import { messageOf } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import { createPollLoop, type PollLoop } from '../../platform/poll-loop.ts';
import { type DeadLetterDeps, retryDeadLetter } from './dead-letters.ts';

export interface DeadLetterWorkerDeps extends DeadLetterDeps {
  readonly log: Log;
  readonly pollEveryMs?: number;
}

const POLL_EVERY_MS = 30_000;
const BATCH_SIZE = 50;

/**
 * Retries dead letters caused by a database server error, which a retry may get past. Any number of
 * processes may run one. Each failed retry waits longer; after the last one, an operator decides.
 */
export function createDeadLetterWorker(deps: DeadLetterWorkerDeps): PollLoop {
  const { log, pollEveryMs = POLL_EVERY_MS } = deps;
  return createPollLoop({
    async work(stopping) {
      for (const id of await claimDeadLetters(deps)) {
        if (stopping.aborted) return;
        const outcome = await retryDeadLetter(deps, id);
        log.info({ deadLetter: id, outcome }, 'a dead letter was redelivered');
      }
    },
    everyMs: pollEveryMs,
    firstAfterMs: pollEveryMs,
    // Claimed dead letters are retried when their lease expires, here or in another process.
    onFailure: (error) => log.warn({ reason: messageOf(error) }, 'dead letters could not be redelivered'),
  });
}

// Helpers

/** Claims due dead letters under a lease, so that those of a crashed process are released. */
async function claimDeadLetters({ db }: Pick<DeadLetterWorkerDeps, 'db'>): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with due as (
      select id from dead_letter
      where resolved_at is null and retry_at <= now() and retries < ${MAX_DEAD_LETTER_RETRIES}
      order by created_at, id limit ${BATCH_SIZE} for update skip locked
    )
    update dead_letter set retries = retries + 1, retry_at = now() + interval '10 minutes'
    from due where dead_letter.id = due.id returning dead_letter.id::text as id`.execute(db);
  return rows.map(({ id }) => id);
}

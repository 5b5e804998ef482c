import { type Kysely, sql } from 'kysely';
import { type Database, unnestRows } from '../../db/index.ts';
import { messageOf } from '../../errors.ts';
import { replaceNul, storableJson } from '../storable.ts';

export interface DeadLetter {
  readonly queue: string;
  readonly messageId: string;
  readonly actorId: string | null;
  readonly data: unknown;
  readonly reason: string;
  /** Caused by a transient error of the database server: redelivered automatically. */
  readonly isTransient?: boolean;
}

/**
 * Delays before a dead letter is redelivered, in minutes: time to free disk space, and then for an
 * operator to act.
 */
const RETRY_MINUTES: readonly number[] = [1, 5, 30, 120, 360];
export const MAX_DEAD_LETTER_RETRIES = RETRY_MINUTES.length;

/**
 * Stores messages that no handler could process, for an operator to inspect and redeliver. Repeats
 * of one message update its row.
 */
export async function insertDeadLetters(db: Kysely<Database>, deadLetters: readonly DeadLetter[]): Promise<void> {
  if (deadLetters.length === 0) return;
  const columns = {
    text: ['queue', 'message_id', 'actor_id', 'reason'],
    jsonb: ['data'],
    boolean: ['is_transient'],
  } as const;
  const rows = deadLetters.map(({ queue, messageId, actorId, data, reason, isTransient = false }) => ({
    queue,
    message_id: replaceNul(messageId),
    actor_id: actorId && replaceNul(actorId),
    data: dataText(data),
    reason: replaceNul(reason),
    is_transient: isTransient,
  }));
  await sql`
    insert into dead_letter (queue, message_id, actor_id, data, reason, retry_at)
    select queue, message_id, actor_id, data, reason,
      case when is_transient then now() + make_interval(mins => ${RETRY_MINUTES[0]}::int4) end
    from ${unnestRows('fresh', columns, rows)}
    on conflict (queue, message_id) do update set reason = excluded.reason, created_at = now(), resolved_at = null,
      retry_at = case when excluded.retry_at is not null then
        now() + make_interval(mins => (${RETRY_MINUTES}::int4[])[dead_letter.retries + 1]) end`.execute(db);
}

// Helpers

function dataText(data: unknown): string {
  try {
    return storableJson(data);
  } catch (error) {
    return storableJson({ notJson: messageOf(error) });
  }
}

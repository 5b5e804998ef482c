import { type Kysely, sql } from 'kysely';
import type { Database } from '../../db/index.ts';
import { messageOf } from '../../errors.ts';
import { storableJson, storableText } from '../storable.ts';

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
export async function insertDeadLetters(db: Kysely<Database>, letters: readonly DeadLetter[]): Promise<void> {
  if (letters.length === 0) return;
  await sql`
    insert into dead_letter (queue, message_id, actor_id, data, reason, retry_at)
    select queue, message_id, actor_id, data::jsonb, reason,
      case when is_transient then now() + make_interval(mins => ${RETRY_MINUTES[0]}::int4) end
    from unnest(
      ${letters.map((letter) => letter.queue)}::text[], ${letters.map((letter) => storableText(letter.messageId))}::text[],
      ${letters.map((letter) => letter.actorId && storableText(letter.actorId))}::text[], ${letters.map((letter) => dataText(letter.data))}::text[],
      ${letters.map((letter) => storableText(letter.reason))}::text[], ${letters.map((letter) => letter.isTransient ?? false)}::boolean[]
    ) as fresh (queue, message_id, actor_id, data, reason, is_transient)
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

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
  /** Set aside because of an error of the database server: it is delivered again by itself. */
  readonly isTransient?: boolean;
}

/**
 * Waits before a letter is delivered again, in minutes: long enough for a disk to be freed, and
 * then for an operator to come.
 */
const RETRY_MINUTES: readonly number[] = [1, 5, 30, 120, 360];
export const MAX_DEAD_LETTER_RETRIES = RETRY_MINUTES.length;

/** Keeps what nothing could handle, for an operator to look at and send again. Repeats of one message are one letter. */
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

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
}

/** Keeps what nothing could handle, for an operator to look at and send again. Repeats of one message are one letter. */
export async function insertDeadLetters(db: Kysely<Database>, letters: readonly DeadLetter[]): Promise<void> {
  if (letters.length === 0) return;
  await sql`
    insert into dead_letter (queue, message_id, actor_id, data, reason)
    select queue, message_id, actor_id, data::jsonb, reason
    from unnest(
      ${letters.map((letter) => letter.queue)}::text[], ${letters.map((letter) => storableText(letter.messageId))}::text[],
      ${letters.map((letter) => letter.actorId && storableText(letter.actorId))}::text[], ${letters.map((letter) => dataText(letter.data))}::text[],
      ${letters.map((letter) => storableText(letter.reason))}::text[]
    ) as fresh (queue, message_id, actor_id, data, reason)
    on conflict (queue, message_id) do update set reason = excluded.reason, created_at = now(), resolved_at = null`.execute(
    db,
  );
}

// Helpers

function dataText(data: unknown): string {
  try {
    return storableJson(data);
  } catch (error) {
    return storableJson({ notJson: messageOf(error) });
  }
}

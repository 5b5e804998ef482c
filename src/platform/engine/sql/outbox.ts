import { type Kysely, type RawBuilder, sql } from 'kysely';
import { type Database, insertUnnested } from '../../db/index.ts';
import { jsonText } from '../storable.ts';
import type { OutgoingMessage } from '../types.ts';

/** The SQL of an INSERT of messages; see `writeSteps`. */
export function outboxInsert(messages: readonly OutgoingMessage[]): RawBuilder<unknown> {
  return insertUnnested(
    'outbox_message',
    { text: ['id', 'queue', 'trace'], int4: ['partition'], json: ['data'] },
    messages.map(({ id, queue, partition, data, trace = null }) => ({
      id,
      queue,
      partition,
      data: jsonText(data),
      trace,
    })),
  );
}

/** Marks messages as accepted by the broker whose rows stay until a handler settles them. */
export async function markPublished(db: Kysely<Database>, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`update outbox_message set published_at = now() where id = any(${ids}::text[])`.execute(db);
}

/** Deletes messages that the broker has accepted, or that are settled. */
export async function deleteOutbox(db: Kysely<Database>, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`delete from outbox_message where id = any(${ids}::text[])`.execute(db);
}

/**
 * Returns unpublished messages older than `olderThanMs`, whose process died or could not reach the
 * broker, and unsettled messages published at least `lostAfterMs` ago, which the broker may have
 * lost. Oldest first.
 */
export async function findOverdueMessages(
  db: Kysely<Database>,
  {
    olderThanMs,
    lostAfterMs,
    limit,
    except,
  }: { olderThanMs: number; lostAfterMs: number; limit: number; except: readonly string[] },
): Promise<OutgoingMessage[]> {
  const { rows } = await sql<OutgoingMessage>`
    select id, queue, partition, data, trace from outbox_message
    where created_at <= now() - make_interval(secs => ${olderThanMs / 1000}) and id <> all(${except}::text[])
      and (published_at is null or published_at <= now() - make_interval(secs => ${lostAfterMs / 1000}))
    order by created_at limit ${limit}`.execute(db);
  return rows;
}

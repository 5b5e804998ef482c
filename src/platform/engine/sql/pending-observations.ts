import { type Kysely, sql, type Transaction } from 'kysely';
import type { BusMessage } from '../../bus/index.ts';
import { type Database, unnestRows } from '../../db/index.ts';
import { jsonText } from '../storable.ts';
import type { EventCommand } from '../types.ts';

export interface ObservationMessage extends BusMessage {
  readonly data: ObservationCommand;
}

export interface ObservationCommand extends EventCommand {
  readonly topic: string;
}

/**
 * Stores pending observations that are about to be published. The newest of a topic replaces an
 * older one that is still pending. Rows are written in key order, bytewise like the key's columns,
 * and engine batches delete them in it, so that the two cannot deadlock.
 */
export async function insertPendingObservations(
  db: Kysely<Database>,
  messages: readonly ObservationMessage[],
): Promise<void> {
  await sql`
    insert into pending_observation (actor_id, topic, event_id, queue, partition, data)
    select distinct on (actor_id, topic) actor_id, topic, event_id, queue, partition, data::json
    from unnest(
      ${messages.map(({ data }) => data.actorId)}::text[] collate "C",
      ${messages.map(({ data }) => data.topic)}::text[] collate "C",
      ${messages.map(({ data }) => data.eventId)}::text[], ${messages.map(({ queue }) => queue)}::text[],
      ${messages.map(({ partition }) => partition)}::int4[], ${messages.map(({ data }) => jsonText(data))}::text[]
    ) with ordinality as pending (actor_id, topic, event_id, queue, partition, data, index)
    order by actor_id, topic, index desc
    on conflict (actor_id, topic) do update set event_id = excluded.event_id, queue = excluded.queue,
      partition = excluded.partition, data = excluded.data, sent_at = excluded.sent_at`.execute(db);
}

/**
 * Returns the pending observation of each of these topics, in their order; null where there is
 * none.
 */
export async function findPendingObservations(
  db: Kysely<Database>,
  requested: readonly Pick<ObservationCommand, 'actorId' | 'topic'>[],
): Promise<(ObservationMessage | null)[]> {
  const columns = { text: ['actor_id', 'topic'], int4: ['index'] } as const;
  const keys = requested.map(({ actorId, topic }, index) => ({ actor_id: actorId, topic, index }));
  const { rows } = await sql<Omit<ObservationMessage, 'id'> & { index: number }>`
    select requested.index, pending_observation.queue, pending_observation.partition, pending_observation.data
    from ${unnestRows('requested', columns, keys)}
    join pending_observation on pending_observation.actor_id = requested.actor_id and pending_observation.topic = requested.topic`.execute(
    db,
  );
  const byIndex = new Map(rows.map((row) => [row.index, messageOf(row)]));
  return requested.map((_, index) => byIndex.get(index) ?? null);
}

/**
 * Deletes observations that their actors have accepted. A newer one on the same topic stays. The
 * actors must be locked.
 */
export async function deletePendingObservations(
  db: Kysely<Database>,
  commands: readonly EventCommand[],
): Promise<void> {
  const pending = commands.flatMap(({ actorId, topic, eventId }) =>
    topic === undefined ? [] : [{ actor_id: actorId, topic, event_id: eventId }],
  );
  if (pending.length === 0) return;
  await sql`
    with taken as (
      select pending_observation.actor_id, pending_observation.topic
      from ${unnestRows('pending', { text: ['actor_id', 'topic', 'event_id'] }, pending)}
      join pending_observation on pending_observation.actor_id = pending.actor_id and pending_observation.topic = pending.topic
        and pending_observation.event_id = pending.event_id
      order by pending_observation.actor_id, pending_observation.topic for update of pending_observation
    )
    delete from pending_observation using taken
    where pending_observation.actor_id = taken.actor_id and pending_observation.topic = taken.topic`.execute(db);
}

/**
 * Claims pending observations that were sent at least `olderThanMs` ago, by setting `sent_at` to
 * now: no other process redelivers them for that long. Dead-lettered ones are skipped, because an
 * operator decides about them.
 */
export async function claimUnacknowledgedObservations(
  db: Kysely<Database> | Transaction<Database>,
  { olderThanMs, limit }: { readonly olderThanMs: number; readonly limit: number },
): Promise<ObservationMessage[]> {
  const { rows } = await sql<Omit<ObservationMessage, 'id'>>`
    with unacknowledged as (
      select actor_id, topic from pending_observation
      where sent_at <= now() - make_interval(secs => ${olderThanMs / 1000}) and not exists (
        select from dead_letter
        where dead_letter.queue in ('engine', pending_observation.queue) and resolved_at is null
          and message_id = pending_observation.actor_id || ':' || pending_observation.event_id)
      order by sent_at limit ${limit} for update of pending_observation skip locked
    )
    update pending_observation set sent_at = now() from unacknowledged
    where pending_observation.actor_id = unacknowledged.actor_id and pending_observation.topic = unacknowledged.topic
    returning queue, partition, data`.execute(db);
  return rows.map(messageOf);
}

// Helpers

/** The original message id, so that a broker that still has the message drops the duplicate. */
function messageOf({ queue, partition, data }: Omit<ObservationMessage, 'id'>): ObservationMessage {
  return { queue, partition, data, id: `${data.actorId}:${data.eventId}` };
}

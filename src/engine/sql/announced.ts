import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../../db/index.ts';
import type { EventCommand } from '../types.ts';

/** A message that carries an announced event. */
export interface AnnouncedMessage {
  readonly queue: string;
  readonly partition: number;
  readonly id: string;
  readonly data: AnnouncedCommand;
}

/** An event with a topic. */
export interface AnnouncedCommand extends EventCommand {
  readonly topic: string;
}

/**
 * Notes events that are about to be sent. The newest of a topic takes the place of an older one that is still under way. Rows are
 * written in the order of their key, as batches of the engine take them away, so that the two never wait for each other.
 */
export async function insertAnnounced(db: Kysely<Database>, messages: readonly AnnouncedMessage[]): Promise<void> {
  await sql`
    insert into announced_event (actor_id, topic, event_id, queue, partition, data)
    select distinct on (actor_id, topic) actor_id, topic, event_id, queue, partition, data::jsonb
    from unnest(
      ${messages.map(({ data }) => data.actorId)}::text[], ${messages.map(({ data }) => data.topic)}::text[],
      ${messages.map(({ data }) => data.eventId)}::text[], ${messages.map(({ queue }) => queue)}::text[],
      ${messages.map(({ partition }) => partition)}::int4[], ${messages.map(({ data }) => JSON.stringify(data))}::text[]
    ) with ordinality as told (actor_id, topic, event_id, queue, partition, data, place)
    order by actor_id, topic, place desc
    on conflict (actor_id, topic) do update set event_id = excluded.event_id, queue = excluded.queue,
      partition = excluded.partition, data = excluded.data, sent_at = excluded.sent_at`.execute(db);
}

/** What is under way to an actor about each of these topics, in their order: the newest event, or null for nothing. */
export async function findAnnounced(
  db: Kysely<Database>,
  asked: readonly Pick<AnnouncedCommand, 'actorId' | 'topic'>[],
): Promise<(AnnouncedMessage | null)[]> {
  const { rows } = await sql<Omit<AnnouncedMessage, 'id'> & { place: number }>`
    select asked.place, announced_event.queue, announced_event.partition, announced_event.data
    from unnest(${asked.map(({ actorId }) => actorId)}::text[], ${asked.map(({ topic }) => topic)}::text[])
      with ordinality as asked (actor_id, topic, place)
    join announced_event on announced_event.actor_id = asked.actor_id and announced_event.topic = asked.topic`.execute(
    db,
  );
  const byPlace = new Map(rows.map((row) => [row.place, messageOf(row)]));
  return asked.map((_, index) => byPlace.get(index + 1) ?? null);
}

/** Forgets events that their actors have taken. What was announced on the same topic since stays. The actors must be locked. */
export async function deleteAnnounced(db: Kysely<Database>, commands: readonly EventCommand[]): Promise<void> {
  const announced = commands.flatMap(({ actorId, topic, eventId }) =>
    topic === undefined ? [] : [{ actorId, topic, eventId }],
  );
  if (announced.length === 0) return;
  await sql`
    with taken as (
      select announced_event.actor_id, announced_event.topic
      from unnest(
        ${announced.map(({ actorId }) => actorId)}::text[], ${announced.map(({ topic }) => topic)}::text[],
        ${announced.map(({ eventId }) => eventId)}::text[]
      ) as told (actor_id, topic, event_id)
      join announced_event on announced_event.actor_id = told.actor_id and announced_event.topic = told.topic
        and announced_event.event_id = told.event_id
      order by announced_event.actor_id, announced_event.topic for update of announced_event
    )
    delete from announced_event using taken
    where announced_event.actor_id = taken.actor_id and announced_event.topic = taken.topic`.execute(db);
}

/**
 * Takes announced events that were sent `olderThanMs` ago or earlier and have not been taken, as sent now: nobody else sends them again for
 * as long. Those that were set aside are left alone, because an operator decides about them.
 */
export async function takeUnheard(
  db: Kysely<Database> | Transaction<Database>,
  { olderThanMs, limit }: { readonly olderThanMs: number; readonly limit: number },
): Promise<AnnouncedMessage[]> {
  const { rows } = await sql<Omit<AnnouncedMessage, 'id'>>`
    with unheard as (
      select actor_id, topic from announced_event
      where sent_at <= now() - make_interval(secs => ${olderThanMs / 1000}) and not exists (
        select from dead_letter
        where dead_letter.queue in ('engine', announced_event.queue) and resolved_at is null
          and message_id = announced_event.actor_id || ':' || announced_event.event_id)
      order by sent_at limit ${limit} for update of announced_event skip locked
    )
    update announced_event set sent_at = now() from unheard
    where announced_event.actor_id = unheard.actor_id and announced_event.topic = unheard.topic
    returning queue, partition, data`.execute(db);
  return rows.map(messageOf);
}

// Helpers

/** The very message it was announced with, so that a broker that has it drops the repetition. */
function messageOf({ queue, partition, data }: Omit<AnnouncedMessage, 'id'>): AnnouncedMessage {
  return { queue, partition, data, id: `${data.actorId}:${data.eventId}` };
}

import { GROWING, ID, QUEUE } from './storage.ts';

/** Actors, their journal, timers, outgoing messages, and messages that could not be processed. */
export function engine(searchPath: string): readonly string[] {
  return [
    // Journal entries are found by the creation time of their actor, in whole milliseconds.
    // last_change is the sequence of the step that last changed the actor. JSON that Postgres only
    // stores is json, which it checks and keeps as it is: jsonb costs five times as much to write.
    `create table actor (
      id ${ID} primary key,
      kind ${ID} not null,
      version text not null,
      state ${ID} not null,
      status ${ID} not null check (status in ('active', 'done')),
      snapshot json not null,
      sequence int8 not null,
      last_change int8 not null default 1,
      clock_offset_ms int8 not null default 0,
      start_key ${ID},
      created_at timestamptz not null,
      updated_at timestamptz not null,
      state_entered_at timestamptz not null,
      constraint actor_created_at_whole_ms check (created_at = date_trunc('milliseconds', created_at))
    ) with (fillfactor = 70, ${GROWING})`,
    `create unique index actor_start_key on actor (start_key) where start_key is not null`,
    // Lists by state, the longest in it first, and counts of actors in it for longer than a given
    // time.
    `create index actor_by_state on actor (kind, state, state_entered_at, id)`,
    // One actor in 64, chosen by its id: an unbiased sample of any state, for percentiles of states
    // with very many actors.
    `create index actor_sample on actor (kind, state, state_entered_at)
      where substr(md5(id), 1, 2) in ('00', '01', '02', '03')`,

    // Partitioned by the month in which its actor was created (born): all entries of one actor are
    // in one partition, so that event ids stay unique per actor and every lookup reads one
    // partition. inserted_xid is the inserting transaction, so that a follower reads only new
    // entries.
    `create table journal_entry (
      actor_id ${ID} not null,
      sequence int8 not null,
      event_id ${ID} not null,
      event_type text not null,
      event json not null,
      outcome text not null check (outcome in ('started', 'applied', 'ignored', 'failed')),
      state ${ID} not null,
      kind ${ID} not null,
      version text not null,
      at timestamptz not null,
      error text,
      inserted_xid int8 default (pg_current_xact_id()::text::int8),
      born timestamptz not null
    ) partition by range (born)`,
    // The only index of a journal, which is sorted when it is read. An event is accepted once per
    // actor; a failed one may be redelivered after a fix, so its last key is null, and nulls are
    // never equal.
    `create unique index journal_entry_event on journal_entry
      (actor_id, event_id, born, (nullif(outcome = 'failed', true)))`,
    // Entries are inserted in about this order, so a BRIN index finds the newest at almost no cost.
    `create index journal_entry_newest on journal_entry using brin (inserted_xid)
      with (pages_per_range = 16, autosummarize = on)`,
    // Only the owner of an index may summarize it. Returns the number of page ranges that were
    // indexed.
    `create function index_newest_entries() returns int8
      language sql security definer ${searchPath} as $index$
        select sum(brin_summarize_new_values(relid)) from pg_partition_tree('journal_entry_newest') where isleaf
      $index$`,
    `revoke execute on function index_newest_entries() from public`,
    `create table journal_entry_default partition of journal_entry default`,
    `select make_month_partitions('journal_entry', now(), now() + interval '3 months')`,

    `create table timer (
      actor_id ${ID} not null,
      name ${ID} not null,
      set_by_sequence int8 not null,
      due_at timestamptz,
      fires_at timestamptz,
      gate ${ID},
      height int8,
      queue ${ID} not null,
      partition int4 not null,
      leased_until timestamptz not null default '-infinity',
      primary key (actor_id, name),
      check ((height is null) <> (due_at is null)),
      check (height is null or gate is not null)
    ) with (fillfactor = 70, ${QUEUE})`,
    // Due timers of one kind or network, without scanning leased or parked ones or those of others.
    // Leasing a timer moves it between indexes, so this one update is not a HOT update: only timers
    // that fire pay for it.
    `create index timer_free_by_clock on timer (queue, fires_at)
      where gate is null and leased_until = '-infinity'`,
    `create index timer_free_by_watermark on timer (gate, due_at)
      where gate is not null and height is null and leased_until = '-infinity'`,
    `create index timer_free_by_height on timer (gate, height)
      where height is not null and leased_until = '-infinity'`,
    `create index timer_leased on timer (leased_until) where leased_until > '-infinity'`,

    `create table watermark (
      gate ${ID} primary key,
      reached_at timestamptz,
      height int8
    ) with (fillfactor = 50, ${QUEUE})`,

    // trace is the request context: the request, merchant and span that caused the message.
    // published_at is when the bus accepted a message whose row stays until a handler settles it.
    `create table outbox_message (
      id ${ID} primary key,
      queue ${ID} not null,
      partition int4 not null,
      data json not null,
      trace text,
      created_at timestamptz not null default now(),
      published_at timestamptz
    ) with (${QUEUE})`,
    `create index outbox_message_created_at on outbox_message (created_at)`,

    // Pending observations: events that their actors' gated timers must not overtake. A row exists
    // while its event is in transit, usually milliseconds.
    `create table pending_observation (
      actor_id ${ID} not null,
      topic ${ID} not null,
      event_id ${ID} not null,
      queue ${ID} not null,
      partition int4 not null,
      data json not null,
      sent_at timestamptz not null default now(),
      primary key (actor_id, topic)
    ) with (${QUEUE})`,
    `create index pending_observation_sent_at on pending_observation (sent_at)`,

    // Messages dead-lettered because of a database server error are redelivered automatically from
    // retry_at on; without it, an operator decides.
    `create table dead_letter (
      id int8 generated always as identity primary key,
      queue ${ID} not null,
      message_id ${ID} not null,
      actor_id ${ID},
      data jsonb,
      reason text not null,
      retry_at timestamptz,
      retries int4 not null default 0,
      created_at timestamptz not null default now(),
      resolved_at timestamptz,
      unique (queue, message_id)
    )`,
    `create index dead_letter_open on dead_letter (created_at, id) where resolved_at is null`,
    `create index dead_letter_of_actor on dead_letter (actor_id) where resolved_at is null and actor_id is not null`,
    `create index dead_letter_resolved on dead_letter (resolved_at) where resolved_at is not null`,
  ];
}

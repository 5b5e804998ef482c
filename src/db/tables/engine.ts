import type { ColumnType, Generated } from 'kysely';
import type { Json, Moment, MomentOfInsert, NullableJson, NullableMoment } from './columns.ts';

export interface ActorTable {
  id: string;
  kind: string;
  /** Version of the chart that wrote the snapshot. */
  version: string;
  /** Active leaf of the chart as a dotted path. */
  state: string;
  status: 'active' | 'done';
  snapshot: Json<StoredSnapshot>;
  /** Sequence of the newest journal entry. */
  sequence: number;
  /** Added to the wall clock for this actor: a test clock that only moves forward. */
  clock_offset_ms: Generated<number>;
  /** Starting again with the same key gives this actor back. */
  start_key: string | null;
  created_at: Moment;
  updated_at: Moment;
  /** When the active leaf was entered. */
  state_entered_at: Moment;
}

export interface StoredSnapshot {
  readonly value: unknown;
  readonly context: unknown;
  readonly status: string;
}

export interface JournalEntryTable {
  actor_id: string;
  sequence: number;
  event_id: string;
  event_type: string;
  event: Json<Record<string, unknown>>;
  outcome: 'started' | 'applied' | 'ignored' | 'failed';
  /** Leaf after the event. */
  state: string;
  kind: string;
  version: string;
  /** Clock reading the event was stamped with. */
  at: Moment;
  /** Why it failed. */
  error: string | null;
  /** `created_at` of the actor: all of its entries lie in the partition of that month. */
  born: Moment;
}

/** An actor that has been at its end for long, with its whole journal. */
export interface ActorArchiveTable extends Omit<ActorTable, 'status' | 'clock_offset_ms'> {
  clock_offset_ms: number;
  /** As `unpackJournal` of the engine reads it. */
  journal: Uint8Array;
  /** When the last entry of the journal was written; null for those archived before it was asked. */
  last_entry_at: NullableMoment;
  archived_at: Moment;
}

/** What the service itself must know of an archived actor, and, by `created_at`, in which partition of the archive it lies. */
export interface ArchivedActorTable {
  id: string;
  kind: string;
  state: string;
  sequence: number;
  clock_offset_ms: number;
  start_key: string | null;
  created_at: Moment;
  /** Sequence of the last step that changed it; null for what was archived before this was kept. */
  last_change: number | null;
}

export interface TimerTable {
  actor_id: string;
  name: string;
  /** Journal sequence of the event that set it: tells this setting from an earlier one of the same name. */
  set_by_sequence: number;
  /** In the actor's own time; null for height timers. */
  due_at: NullableMoment;
  /** `due_at` less the actor's clock offset: wall time before which it never fires. */
  fires_at: NullableMoment;
  /** The watermark that must have passed `due_at`, or whose height is waited for. */
  gate: string | null;
  height: number | null;
  queue: string;
  partition: number;
  /** Published and awaiting its commit until then. */
  leased_until: Generated<ColumnType<number, Date, Date>>;
}

export interface WatermarkTable {
  gate: string;
  /** Everything up to this moment has been looked at. */
  reached_at: NullableMoment;
  height: number | null;
}

export interface OutboxMessageTable {
  id: string;
  queue: string;
  partition: number;
  data: Json<unknown>;
  created_at: MomentOfInsert;
  /** On whose behalf it is sent: request, merchant and span (`carriedWork`). Beside the data, which stays as it is. */
  trace: string | null;
  /**
   * When the bus took it last, while it waits for its handler; null before that, and for messages
   * that go once the bus has them.
   */
  published_at: NullableMoment;
}

/** An event on its way to its actor, whose gated timers wait for it. One per actor and topic: the newest. */
export interface AnnouncedEventTable {
  actor_id: string;
  topic: string;
  event_id: string;
  queue: string;
  partition: number;
  /** The command, to be sent again should the broker lose it. */
  data: Json<unknown>;
  /** When it was last given to the broker, or is about to be. */
  sent_at: MomentOfInsert;
}

export interface DeadLetterTable {
  id: Generated<number>;
  queue: string;
  message_id: string;
  actor_id: string | null;
  data: NullableJson<unknown>;
  reason: string;
  created_at: MomentOfInsert;
  resolved_at: NullableMoment;
  /** When it is delivered again by itself; null when operators decide. */
  retry_at: NullableMoment;
  /** How often that was done. */
  retries: Generated<number>;
}

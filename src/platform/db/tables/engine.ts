import type { ColumnType, Generated } from 'kysely';
import type { InsertTimestamp, Json, NullableJson, NullableTimestamp, Timestamp } from './columns.ts';

export interface ActorTable {
  id: string;
  kind: string;
  /** Chart version that wrote the snapshot. */
  version: string;
  /** Active leaf state as a dotted path. */
  state: string;
  status: 'active' | 'done';
  snapshot: Json<StoredSnapshot>;
  /** Sequence of the newest journal entry. */
  sequence: number;
  /** Sequence of the last step that changed it; ignored and failed events do not. */
  last_change: Generated<number>;
  /** Offset from wall-clock time: a test clock that only moves forward. */
  clock_offset_ms: Generated<number>;
  /** Starting again with the same key returns this actor. */
  start_key: string | null;
  created_at: Timestamp;
  updated_at: Timestamp;
  /** When the active leaf state was entered. */
  state_entered_at: Timestamp;
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
  /** Active leaf state after the event. */
  state: string;
  kind: string;
  version: string;
  /** Time stamped onto the event, in the actor's own time. */
  at: Timestamp;
  /** Why the event failed. */
  error: string | null;
  /** `created_at` of the actor: all its entries are in the partition of that month. */
  born: Timestamp;
}

/** An archived actor with its whole journal. */
export interface ActorArchiveTable extends Omit<ActorTable, 'status' | 'last_change' | 'clock_offset_ms'> {
  clock_offset_ms: number;
  /** Decoded by the engine's `unpackJournal`. */
  journal: Uint8Array;
  /** When the last journal entry was written; null if archived before this was recorded. */
  last_entry_at: NullableTimestamp;
  archived_at: Timestamp;
}

/**
 * Directory of archived actors: what the service needs of them; `created_at` determines the archive
 * partition.
 */
export interface ArchivedActorTable
  extends Pick<ActorTable, 'id' | 'kind' | 'state' | 'sequence' | 'start_key' | 'created_at'> {
  clock_offset_ms: number;
  /** Sequence of the last step that changed it. */
  last_change: number;
}

export interface TimerTable {
  actor_id: string;
  name: string;
  /**
   * Journal sequence of the step that set it: distinguishes this setting from earlier ones of the
   * same name.
   */
  set_by_sequence: number;
  /** In the actor's own time; null for height timers. */
  due_at: NullableTimestamp;
  /** `due_at` minus the actor's clock offset: the timer never fires before this wall-clock time. */
  fires_at: NullableTimestamp;
  /** The watermark that must pass `due_at`, or reach `height`. */
  gate: string | null;
  height: number | null;
  queue: string;
  partition: number;
  /** Leased until then: minus infinity if not leased, infinity if parked. */
  leased_until: Generated<ColumnType<number, Date, Date>>;
}

export interface WatermarkTable {
  gate: string;
  /** Everything dated before this time was observed. */
  reached_at: NullableTimestamp;
  height: number | null;
}

export interface OutboxMessageTable {
  id: string;
  queue: string;
  partition: number;
  data: Json<unknown>;
  created_at: InsertTimestamp;
  /** Request context: request, merchant and span (`serializeContext`). Separate from the data. */
  trace: string | null;
  /**
   * When the bus last accepted it, while its handler has not settled it; null before that, and for
   * queues whose rows are deleted once the bus has accepted them.
   */
  published_at: NullableTimestamp;
}

/**
 * A pending observation: an event that its actor's gated timers wait for. One per actor and topic:
 * the newest.
 */
export interface PendingObservationTable {
  actor_id: string;
  topic: string;
  event_id: string;
  queue: string;
  partition: number;
  /** The command, to be redelivered if the broker loses it. */
  data: Json<unknown>;
  /** When it was last published, or is about to be. */
  sent_at: InsertTimestamp;
}

export interface DeadLetterTable {
  id: Generated<number>;
  queue: string;
  message_id: string;
  actor_id: string | null;
  data: NullableJson<unknown>;
  reason: string;
  created_at: InsertTimestamp;
  resolved_at: NullableTimestamp;
  /** When it is redelivered automatically; null when an operator decides. */
  retry_at: NullableTimestamp;
  /** Number of automatic redeliveries. */
  retries: Generated<number>;
}

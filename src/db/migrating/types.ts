import type { Kysely } from 'kysely';

/**
 * One change of the schema, in one of two forms:
 *
 * - `up` runs in a transaction of its own, under a short `lock_timeout` and again when it did not get its locks
 * - `indexes` are built concurrently, outside of any transaction, while the table is written to
 */
export type SchemaMigration = (
  | { readonly up: (db: Kysely<unknown>) => Promise<void> }
  | { readonly indexes: readonly ConcurrentIndex[] }
) & {
  /**
   * The oldest version that runs on the schema after this change. Left out, every version that ran before still does: that is
   * so for whatever only adds. What takes something away names the first version that does without it.
   */
  readonly compatibleFrom?: string;
};

export interface ConcurrentIndex {
  readonly name: string;
  /** `create [unique] index concurrently NAME on …`. */
  readonly statement: string;
}

/** By name, which begins with the moment it was written: they run in the order of their names. */
export type SchemaMigrations = Readonly<Record<string, SchemaMigration>>;

export interface MigrateOptions {
  /** Told in one sentence what is waited for, before each pause. */
  readonly onWait?: (reason: string) => void;
  /** How long a statement waits for a lock, while others queue behind it. */
  readonly lockTimeoutMs?: number;
  /** Pauses between attempts to get the locks; as many as there are, and then it is given up. */
  readonly pausesMs?: readonly number[];
}

import type { Kysely } from 'kysely';

/**
 * One migration, in one of two forms:
 *
 * - `up` runs in its own transaction with a short `lock_timeout`, and is retried when a lock was
 *   not available
 * - `indexes` are built concurrently, outside of any transaction, while the table is written to
 */
export type SchemaMigration = (
  | { readonly up: (db: Kysely<unknown>) => Promise<void> }
  | { readonly indexes: readonly ConcurrentIndex[] }
) & {
  /**
   * The oldest version that can run on the schema after this migration. Omit it when every version
   * that ran before still can: true for additive migrations. A migration that removes something
   * names the first version that does not need it.
   */
  readonly compatibleFrom?: string;
};

export interface ConcurrentIndex {
  readonly name: string;
  /** `create [unique] index concurrently NAME on …`. */
  readonly statement: string;
}

/** By name, which begins with the date and time it was written: migrations run in name order. */
export type SchemaMigrations = Readonly<Record<string, SchemaMigration>>;

export interface MigrateOptions {
  /** Called before each delay with one sentence on what is awaited. */
  readonly onWait?: (reason: string) => void;
  /** `lock_timeout` of a statement: others queue behind it for that long. */
  readonly lockTimeoutMs?: number;
  /** Delays between attempts to get the locks, in ms; after the last one the migration fails. */
  readonly pausesMs?: readonly number[];
}

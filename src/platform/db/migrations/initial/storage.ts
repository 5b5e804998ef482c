/**
 * Type of ids, hashes, addresses, states and other text that programs compare, as opposed to text
 * that people read. Compared byte by byte, whatever the collation of the database: faster, and a
 * search by prefix needs no index of its own.
 */
export const ID = 'text collate "C"';

// Storage parameters of tables that change all the time. By default, autovacuum waits until a fifth
// of a table is dead: too late for queues, whose rows are mostly dead, and for tables that have
// grown for years. See docs/operators/storage.md.

/** For queues and counters: vacuumed on every autovacuum run, whatever their size. */
export const QUEUE = `
  autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0,
  autovacuum_analyze_threshold = 1000, autovacuum_analyze_scale_factor = 0.02`;

/** For tables with a row per actor, payment or delivery, written a few times and then unchanged. */
export const GROWING = `
  autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_scale_factor = 0.01,
  autovacuum_analyze_threshold = 5000, autovacuum_analyze_scale_factor = 0.02`;

/** With `GROWING`, for tables of hardly any dead rows: lists by index alone need pages vacuumed. */
export const VACUUMED_AS_IT_GROWS =
  'autovacuum_vacuum_insert_threshold = 5000, autovacuum_vacuum_insert_scale_factor = 0.02';

/**
 * Settings of a function that reads and deletes old rows: plans every statement by index, whatever
 * the table statistics or session settings; see the engine's `planByIndex`.
 */
export const BY_INDEX = 'set jit = off set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off';

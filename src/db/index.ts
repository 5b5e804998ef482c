export { createBatchedLookup } from './batched-lookup.ts';
export type { Connection, DatabaseOptions } from './connect.ts';
export { connect } from './connect.ts';
export type { Database } from './database.ts';
export { classifyDatabaseError, databaseUnavailable, whileDatabaseAnswers } from './failures.ts';
export { migrate } from './migrate.ts';
export type { StoredSnapshot } from './tables/engine.ts';
export { together } from './together.ts';

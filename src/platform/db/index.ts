export { createBatchedLookup } from './batched-lookup.ts';
export type { Connection, DatabaseOptions, PoolUse } from './connect.ts';
export { connect } from './connect.ts';
export type { Database } from './database.ts';
export {
  classifyDatabaseError,
  databaseErrorOf,
  databaseUnavailable,
  isUniqueViolation,
} from './failures.ts';
export { createGrouped } from './grouped.ts';
export { lockUntilCommit } from './lock-until-commit.ts';
export { checkSchema, migrate, schemaStateOf } from './migrate.ts';
export type { MigrateOptions } from './migrating/types.ts';
export { pipelinedTransaction, settleAll } from './pipelined-transaction.ts';
export { examineMigrationUrl, examinePooler, type PoolerProblem } from './pooler.ts';
export { PREPARED } from './prepared.ts';
export type { StoredSnapshot } from './tables/engine.ts';
export type { ReplayStart } from './tables/webhook.ts';
export { isContinued, readTransactionHorizon, type TransactionHorizon } from './transaction-order.ts';
export { disableScans, liftTimeouts, readByIndex } from './transaction-settings.ts';
export { insertUnnested, jsonText, unnestRows } from './unnest-rows.ts';
export { alertOnce, onlyReadable, unreadableIn } from './unreadable.ts';

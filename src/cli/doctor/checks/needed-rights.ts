/** The default privileges that the service needs on a table. */
export const READ_AND_WRITE = 'select,insert,update,delete';

/**
 * Tables with fewer privileges: those that are only appended to, and those that only functions of
 * the schema change. A role with exactly these is what deploy/postgres/roles.sql creates.
 */
export const LESS_THAN_THAT: Readonly<Record<string, string>> = {
  journal_entry: 'select,insert',
  audit_entry: 'select,insert',
  operator_action: 'select,insert',
  webhook_event: 'select,insert,delete',
  actor: 'select,insert,update',
  actor_archive: 'select',
  archived_actor: 'select',
  // A view of two tables.
  transaction: 'select',
  kysely_migration: 'select',
  kysely_migration_lock: 'select',
  schema_compatibility: 'select',
};

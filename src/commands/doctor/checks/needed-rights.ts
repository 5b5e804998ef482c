/** What the service does with the rows of a table, by default. */
export const READ_AND_WRITE = 'select,insert,update,delete';

/**
 * Tables of which the service needs less: what is only ever appended, and what only functions of the schema change. A role that
 * may no more than this is as deploy/postgres/roles.sql makes it.
 */
export const LESS_THAN_THAT: Readonly<Record<string, string>> = {
  journal_entry: 'select,insert',
  audit_entry: 'select,insert',
  operator_action: 'select,insert',
  webhook_event: 'select,insert,delete',
  actor: 'select,insert,update',
  actor_archive: 'select',
  archived_actor: 'select',
  kysely_migration: 'select',
  kysely_migration_lock: 'select',
  schema_compatibility: 'select',
};

/**
 * Finds old entries of the merchants' audit log by index; they were found by scanning all of it.
 */
export const indexes = [
  {
    name: 'audit_entry_occurred_at',
    statement: 'create index concurrently audit_entry_occurred_at on audit_entry (occurred_at)',
  },
];

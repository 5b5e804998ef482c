/** The audit of merchants grows for as long as it is kept, and what is old in it was found by reading all of it. */
export const indexes = [
  {
    name: 'audit_entry_occurred_at',
    statement: 'create index concurrently audit_entry_occurred_at on audit_entry (occurred_at)',
  },
];

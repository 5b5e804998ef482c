/** Finds the accounts due for comparison, of a million, by an index. */
export const indexes = [
  {
    name: 'account_balance_due',
    statement: 'create index concurrently account_balance_due on account_balance (network, due_at)',
  },
];

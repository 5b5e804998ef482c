/** Finds recently replaced wallets for a merchant's first page, however long its audit log. */
export const indexes = [
  {
    name: 'audit_entry_replaced_wallets',
    statement:
      "create index concurrently audit_entry_replaced_wallets on audit_entry (merchant_id, occurred_at) where what = 'wallet.replaced'",
  },
];

/**
 * Wallets that were replaced lately are on the first page of a merchant, however long its audit is.
 */
export const indexes = [
  {
    name: 'audit_entry_replaced_wallets',
    statement:
      "create index concurrently audit_entry_replaced_wallets on audit_entry (merchant_id, occurred_at) where what = 'wallet.replaced'",
  },
];

/**
 * Every table that no retention rule deletes from, and why. A test checks that each table is here
 * or has a rule, so that none grows unnoticed.
 */
export const KEPT_TABLES: Readonly<Record<string, string>> = {
  kysely_migration: 'a row per change of the schema',
  schema_compatibility: 'a row per change of the schema',

  actor: 'moved to the archive some time after its end',
  journal_entry: 'moved to the archive with its actor',
  archived_actor: 'detects events and starts that are repeated, however late',
  actor_count: 'a number of rows that depends only on the charts',
  timer: 'deleted in the commit that processes its event, at the latest with the end of its actor',
  watermark: 'one per network, and one per open simulated payment, deleted when that is closed',
  outbox_message: 'deleted once the bus has the message',
  pending_observation: 'deleted in the commit that processes the event',
  operator_alert: 'few; kept before and after operators resolve them',

  merchant: 'the owner of the payments',
  merchant_user: 'who did what in the audit',
  api_key: 'who did what in the audit; a revoked key must stay revoked',
  recovery_code: 'ten per user, replaced together',
  setup_link: 'one at most, until the first user exists',
  login_throttle: 'deleted by sign-ins once a block has ended',
  request_count: 'deleted within hours by the rate limiter',

  derivation_key: 'its addresses were issued',
  wallet: 'its addresses were issued',
  address: 'never issued twice, and coins may still arrive',
  free_address: 'deleted when its address is issued',
  chain_cursor: 'one per network',
  chain_lease: 'one per network',
  unsettled_output: 'coins that are in no block; the watcher deletes them once they are in one or gone',
  chain_block: 'the newest of each network, as deep as a reorganisation may go; the watcher deletes the rest',
  account_balance: 'one per address that is compared',
  unassigned_payment: 'coins that must be refunded',

  transaction_terms: 'the record of a payment',
  transaction_status: 'the record of a payment',
  transaction_metadata: 'what a payment is found by',
  transaction_count: 'a number of rows that depends on merchants and states',
  payment: 'the coins of a payment',
  attention_item: 'a decision about a payment',
  webhook_endpoint: 'few; the delivery log refers to deleted ones until it is deleted',
  payment_link: 'what the payments made with it were for',
  link_payment: 'what a payment was for',
  schedule: 'the record of what a customer agreed to',
  schedule_period: 'the record of what was paid',
  schedule_attempt: 'which payments were for a period',
  schedule_token: 'a few per schedule; links in emails must keep saying that they were used',

  plan: 'a few rows',
  monthly_usage: 'one per merchant and month, for invoices',
  plan_purchase: 'for invoices',
};

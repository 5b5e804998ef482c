/**
 * The reason for every index. An index costs every write of its table, so one that no statement of
 * the code uses is dropped. `says` is found in the file `at`; `statement` is the part of it that
 * the index serves, with values in place of parameters.
 */
export interface IndexUse {
  readonly index: string;
  readonly at: string;
  readonly says: string;
  readonly statement: string;
}

const EPOCH = `timestamptz 'epoch'`;
const OF_MERCHANT = `merchant_id = 'm' and mode = 'live'`;
const NEWEST = 'order by created_at desc, id desc limit 10';

/** By name. */
export const INDEX_USES: readonly IndexUse[] = [
  use(
    'account_balance_due',
    'src/payments/watching/due-accounts.ts',
    'order by due.due_at limit',
    `
    select * from account_balance where network = 'n' and due_at <= ${EPOCH} order by due_at limit 10`,
  ),
  use(
    'account_token_user',
    'src/accounts/account-tokens.ts',
    `deleteFrom('account_token').where('user_id'`,
    `
    delete from account_token where user_id = 'u'`,
  ),
  use(
    'actor_archive_by_state',
    'src/operations/actors/list-actors.ts',
    'order by actor.state_entered_at, actor.id limit',
    `
    select * from actor_archive where kind = 'k' and state = 's' order by state_entered_at, id limit 10`,
  ),
  use(
    'actor_archive_over',
    'src/platform/db/migrations/initial/expire.ts',
    'greatest(state_entered_at, last_entry_at) < before',
    `
    select id, created_at from actor_archive
    where greatest(state_entered_at, last_entry_at) < ${EPOCH} and created_at < ${EPOCH} limit 10 for update skip locked`,
  ),
  use(
    'actor_by_state',
    'src/operations/actors/list-actors.ts',
    'order by actor.state_entered_at, actor.id limit',
    `
    select * from actor where kind = 'k' and state = 's' order by state_entered_at, id limit 10`,
  ),
  use(
    'actor_sample',
    'src/operations/actors/population.ts',
    `substr(md5(id), 1, 2) in ('00', '01', '02', '03')`,
    `
    select percentile_disc(0.5) within group (order by state_entered_at) from actor
    where kind = 'k' and state = 's' and substr(md5(id), 1, 2) in ('00', '01', '02', '03')`,
  ),
  use(
    'address_inserted',
    'src/payments/watching/watch-set.ts',
    'inserted_xid >=',
    `
    select watch_key from address where network = 'n' and inserted_xid >= '9'::xid8`,
  ),
  use(
    'address_watch_key',
    'src/payments/watching/destinations.ts',
    'address.watch_key = requested.watch_key',
    `
    select * from address where network = 'n' and watch_key = 'w'`,
  ),
  use(
    'pending_observation_sent_at',
    'src/platform/engine/sql/pending-observations.ts',
    'order by sent_at limit',
    `
    select * from pending_observation where sent_at <= now() order by sent_at limit 10`,
  ),
  use(
    'api_key_merchant',
    'src/merchants/keys/key-rows.ts',
    `.selectFrom('api_key')`,
    `
    select * from api_key where merchant_id = 'm'`,
  ),
  use(
    'attention_item_open',
    'src/payments/attention/list-attention.ts',
    'settled_at is null',
    `
    select * from attention_item where ${OF_MERCHANT} and settled_at is null
    order by case when kind = 'coins_lost' then 0 else 1 end, raised_at, transaction_id, kind limit 10`,
  ),
  use(
    'attention_item_settled',
    'src/payments/attention/list-attention.ts',
    'settled_at is not null',
    `
    select * from attention_item where ${OF_MERCHANT} and settled_at is not null
    order by settled_at desc, transaction_id desc, kind desc limit 10`,
  ),
  use(
    'audit_entry_merchant',
    'src/merchants/audit/list-audit.ts',
    'where audit_entry.merchant_id =',
    `
    select * from audit_entry where merchant_id = 'm' and id < 9 order by id desc limit 10`,
  ),
  use(
    'audit_entry_occurred_at',
    'src/platform/db/migrations/initial/expire.ts',
    'occurred_at < before',
    `
    select id from audit_entry where occurred_at < ${EPOCH} limit 10 for update skip locked`,
  ),
  use(
    'audit_entry_replaced_wallets',
    'src/merchants/wallets/list-wallets.ts',
    `what = 'wallet.replaced'`,
    `
    select id from audit_entry where merchant_id = 'mer_1' and what = 'wallet.replaced' and occurred_at > ${EPOCH}
    order by occurred_at desc, id desc limit 5`,
  ),
  use(
    'dead_letter_of_actor',
    'src/operations/actors/actor-rows.ts',
    'from dead_letter where dead_letter.actor_id = actor.id',
    `
    select count(*) from dead_letter where actor_id = 'a' and resolved_at is null`,
  ),
  use(
    'dead_letter_open',
    'src/operations/dead-letters/dead-letters.ts',
    'order by created_at, id limit',
    `
    select * from dead_letter where resolved_at is null order by created_at, id limit 10`,
  ),
  use(
    'dead_letter_resolved',
    'src/operations/storage/deletion-rules.ts',
    'resolved_at <',
    `
    select id from dead_letter where resolved_at < ${EPOCH} limit 10 for update skip locked`,
  ),
  use(
    'free_address_unvetted',
    'src/wallets/supply/vetting.ts',
    'and awaits_vetting',
    `
    select * from free_address where network = 'n' and awaits_vetting order by derivation_index limit 10`,
  ),
  use(
    'journal_entry_newest',
    'src/operations/live/live-changes.ts',
    'inserted_xid >=',
    `
    select * from journal_entry where inserted_xid >= 7 and inserted_xid < 9`,
  ),
  use(
    'link_payment_uncounted',
    'src/links/payments-in-progress.ts',
    'and counted_as is null',
    `
    select * from link_payment where ${OF_MERCHANT} and slug = 's' and counted_as is null`,
  ),
  use(
    'login_throttle_last_at',
    'src/accounts/throttle.ts',
    'order by last_at limit',
    `
    select key from login_throttle where last_at < ${EPOCH} order by last_at limit 4 for update skip locked`,
  ),
  use(
    'mail_by_recipient',
    'src/recurring/admit-recipients.ts',
    "mailboxIn('recipient')} = any(",
    `
    select count(*) from mail where lower(regexp_replace(recipient, '^([^+@]+)[+][^@]*@', '\\1@')) = any(array['a']) and created_at > ${EPOCH}`,
  ),
  use(
    'mail_due',
    'src/mail/mail-queue.ts',
    `where state = 'queued' and actor_id is not null and next_try_at <=`,
    `
    select id from mail where state = 'queued' and actor_id is not null and next_try_at <= ${EPOCH}
    order by next_try_at limit 10`,
  ),
  use(
    'mail_due_first',
    'src/mail/mail-queue.ts',
    `where state = 'queued' and actor_id is null and next_try_at <=`,
    `
    select id from mail where state = 'queued' and actor_id is null and next_try_at <= ${EPOCH}
    order by next_try_at limit 10`,
  ),
  use(
    'mail_failed',
    'src/operations/health/health.ts',
    "where state = 'failed' and created_at >",
    `
    select count(*) from mail where state = 'failed' and created_at > ${EPOCH}`,
  ),
  use(
    'mail_over',
    'src/operations/storage/deletion-rules.ts',
    `created_at < \${before} and state <> 'queued'`,
    `
    select id from mail where created_at < ${EPOCH} and state <> 'queued' limit 10 for update skip locked`,
  ),
  use(
    'mail_stored',
    'src/mail/list-emails.ts',
    `.where('state', '=', state)`,
    `
    select * from mail where state = 'stored' ${NEWEST}`,
  ),
  use(
    'merchant_user_merchant',
    'src/merchants/audit/list-audit.ts',
    'on person.merchant_id = audit_entry.merchant_id',
    `
    select * from merchant_user where merchant_id = 'm'`,
  ),
  use(
    'operation_item_open',
    'src/operations/runs/advance-run.ts',
    'outcome is null order by position limit',
    `
    select position from operation_item where run_id = 'r' and outcome is null order by position limit 10`,
  ),
  use(
    'operation_run_newest',
    'src/operations/runs/run.ts',
    'from operation_run order by created_at desc, id desc',
    `
    select * from operation_run ${NEWEST}`,
  ),
  use(
    'operation_run_running',
    'src/operations/runs/advance-run.ts',
    `state = 'running' and leased_until <=`,
    `
    select id from operation_run where state = 'running' and leased_until <= ${EPOCH}`,
  ),
  use(
    'operator_action_by_person',
    'src/operations/actions/list-actions.ts',
    'from operator_action as action',
    `
    select * from operator_action where who = 'u'
    order by asked_at desc, inserted_xid desc, request_id desc limit 10`,
  ),
  use(
    'operator_action_newest',
    'src/operations/actions/list-actions.ts',
    'from operator_action as action',
    `
    select * from operator_action order by asked_at desc, inserted_xid desc, request_id desc limit 10`,
  ),
  use(
    'operator_alert_open',
    'src/operations/health/open-alerts.ts',
    'order by created_at desc, id desc limit',
    `
    select * from operator_alert where resolved_at is null ${NEWEST}`,
  ),
  use(
    'outbox_message_created_at',
    'src/platform/engine/sql/outbox.ts',
    'order by created_at limit',
    `
    select * from outbox_message where created_at <= now() order by created_at limit 10`,
  ),
  use(
    'payment_txid',
    'src/payments/search/find-by-text.ts',
    'from payment where txid =',
    `
    select transaction_id from payment where txid = 't' limit 10`,
  ),
  use(
    'payment_link_images',
    'src/links/create-link.ts',
    'select distinct image_id from payment_link',
    `
    select distinct image_id from payment_link where merchant_id = 'm' and image_id is not null limit 10`,
  ),
  use(
    'plan_purchase_merchant',
    'src/billing/invoices.ts',
    'where plan_purchase.merchant_id =',
    `
    select * from plan_purchase where ${OF_MERCHANT}`,
  ),
  use(
    'request_count_hour',
    'src/merchants/limits/request-windows.ts',
    'where hour <',
    `
    select subject from request_count where hour < 9 limit 10 for update skip locked`,
  ),
  use(
    'schedule_attempt_of_period',
    'src/recurring/list-periods.ts',
    'schedule_attempt.period_no = schedule_period.period_no',
    `
    select * from schedule_attempt where schedule_id = 's' and period_no = 1`,
  ),
  use(
    'schedule_by_reference',
    'src/recurring/schedule-rows.ts',
    'reference',
    `
    select * from schedule where ${OF_MERCHANT} and reference = 'r' ${NEWEST}`,
  ),
  use(
    'schedule_by_status',
    'src/recurring/schedule-rows.ts',
    'status',
    `
    select * from schedule where ${OF_MERCHANT} and status = 'active' ${NEWEST}`,
  ),
  use(
    'schedule_list',
    'src/recurring/schedule-rows.ts',
    'created_at',
    `
    select * from schedule where ${OF_MERCHANT} ${NEWEST}`,
  ),
  use(
    'schedule_unconfirmed',
    'src/recurring/admit-recipients.ts',
    'pending_confirmation',
    `
    select count(*) from schedule
    where lower(regexp_replace(customer_email, '^([^+@]+)[+][^@]*@', '\\1@')) = 'c' and merchant_id = 'm' and status = 'pending_confirmation'`,
  ),
  use(
    'session_user_id',
    'src/accounts/sessions/sessions.ts',
    `.where('user_id', '=', userId)`,
    `
    update session set revoked_at = now() where user_id = 'u' and revoked_at is null`,
  ),
  use(
    'sign_up_expires_at',
    'src/accounts/sign-up/sign-up.ts',
    `deleteFrom('sign_up').where('expires_at'`,
    `
    delete from sign_up where expires_at <= ${EPOCH}`,
  ),
  use(
    'unassigned_payment_of_transaction',
    'src/payments/detail/read-unassigned.ts',
    `.selectFrom('unassigned_payment')`,
    `
    select * from unassigned_payment where transaction_id = 't' order by first_seen_at limit 10`,
  ),
  use(
    'unassigned_payment_txid',
    'src/payments/search/find-by-text.ts',
    'from unassigned_payment where txid =',
    `
    select transaction_id from unassigned_payment where txid = 't' and transaction_id is not null limit 10`,
  ),
  use(
    'unassigned_payment_seen',
    'src/payments/unassigned/unassigned-payments.ts',
    `.orderBy('first_seen_at', 'desc')`,
    `
    select * from unassigned_payment order by first_seen_at desc, output_id limit 10`,
  ),
  use(
    'timer_free_by_clock',
    'src/platform/engine/sql/lease-due-timers.ts',
    "leased_until = '-infinity'",
    `
    select actor_id from timer
    where queue = 'q' and gate is null and leased_until = '-infinity' and fires_at <= ${EPOCH} order by fires_at limit 10`,
  ),
  use(
    'timer_free_by_height',
    'src/platform/engine/sql/lease-due-timers.ts',
    "leased_until = '-infinity'",
    `
    select actor_id from timer
    where gate = 'g' and height is not null and leased_until = '-infinity' and height <= 9 order by height limit 10`,
  ),
  use(
    'timer_free_by_watermark',
    'src/platform/engine/sql/lease-due-timers.ts',
    "leased_until = '-infinity'",
    `
    select actor_id from timer
    where gate = 'g' and height is null and leased_until = '-infinity' and due_at <= ${EPOCH} order by due_at limit 10`,
  ),
  use(
    'timer_leased',
    'src/platform/engine/sql/lease-due-timers.ts',
    "leased_until > '-infinity'",
    `
    select actor_id from timer where leased_until > '-infinity' and leased_until <= ${EPOCH} limit 10`,
  ),
  use(
    'transaction_listing',
    'src/payments/search/list-transactions.ts',
    'created_at desc, id desc',
    `
    select * from transaction_terms where ${OF_MERCHANT} ${NEWEST}`,
  ),
  use(
    'transaction_failed_customer',
    'src/links/payments-in-progress.ts',
    `status = 'failed' and customer_hash is not null`,
    `
    select id from transaction_status where ${OF_MERCHANT} and status = 'failed' and customer_hash is not null`,
  ),
  use(
    'transaction_listing_exception',
    'src/payments/search/list-conditions.ts',
    'exception',
    `
    select * from transaction_status where ${OF_MERCHANT} and exception = 'e' and crypto = 'BTC' ${NEWEST}`,
  ),
  use(
    'transaction_listing_status',
    'src/payments/search/list-conditions.ts',
    'status',
    `
    select * from transaction_status where ${OF_MERCHANT} and status = 's' and crypto = 'BTC' ${NEWEST}`,
  ),
  use(
    'transaction_listing_type',
    'src/payments/search/list-conditions.ts',
    'type',
    `
    select * from transaction_status where ${OF_MERCHANT} and type = 'detailed' and status = 's' and crypto = 'BTC'
      and type <> 'basic' ${NEWEST}`,
  ),
  use(
    'transaction_open_account',
    'src/payments/watching/open-accounts.ts',
    `transaction.status in ('pending', 'partial'`,
    `
    select id from transaction_status where network = 'n' and crypto not in ('BTC', 'LTC', 'DOGE', 'DASH')
      and status in ('pending', 'partial', 'awaiting_confirmation', 'expired')`,
  ),
  use(
    'transaction_metadata_value',
    'src/payments/search/find-by-text.ts',
    'from transaction_metadata where value_hash =',
    `
    select transaction_id from transaction_metadata where value_hash = 7 limit 10`,
  ),
  use(
    'transaction_open_client',
    'src/payments/create/open-payment-of-client.ts',
    'client_hash',
    `
    select id from transaction_status where ${OF_MERCHANT} and client_hash = 'h' and status = 'pending'`,
  ),
  use(
    'transaction_open_keyless',
    'src/payments/create/keyless-payments.ts',
    'where opened_by_key = any(',
    `
    select opened_by_key, count(*) from transaction_status where opened_by_key = any(array['k']) and status = 'pending'
    group by opened_by_key`,
  ),
  use(
    'transaction_search_address',
    'src/payments/search/find-by-text.ts',
    'lower(deposit_address)',
    `
    select id from transaction_terms where ${OF_MERCHANT} and lower(deposit_address) = 'a' limit 10`,
  ),
  use(
    'transaction_search_customer',
    'src/payments/search/find-by-text.ts',
    'lower(customer_email)',
    `
    select id from transaction_terms where ${OF_MERCHANT} and lower(customer_email) = 'c' limit 10`,
  ),
  use(
    'transaction_search_id',
    'src/payments/search/find-by-text.ts',
    `\${begins('id', text)} order by id`,
    `
    select id from transaction_terms where ${OF_MERCHANT} and id >= 'a' and id < 'b'
    order by id limit 10`,
  ),
  use(
    'transaction_search_order',
    'src/payments/search/find-by-text.ts',
    `order by order_id`,
    `
    select id from transaction_terms where ${OF_MERCHANT} and order_id >= 'a' and order_id < 'b'
    order by order_id limit 10`,
  ),
  use(
    'webhook_attempt_started',
    'src/operations/storage/deletion-rules.ts',
    'started_at <',
    `
    select delivery_id from webhook_attempt where started_at < now() + interval '1 minute' limit 2000 for update skip locked`,
  ),
  use(
    'webhook_delivery_endpoint',
    'src/webhooks/log/endpoint-health.ts',
    'order by created_at desc, id desc limit',
    `
    select id from webhook_delivery where endpoint_id = 'e' ${NEWEST}`,
  ),
  use(
    'webhook_delivery_event',
    'src/webhooks/log/list-transaction-events.ts',
    'delivery.webhook_event_id = event_row.id',
    `
    select * from webhook_delivery where webhook_event_id = 'e'`,
  ),
  use(
    'webhook_delivery_log',
    'src/webhooks/log/list-transaction-events.ts',
    `event = type.event and state = 'delivered'`,
    `
    select 1 from webhook_delivery where endpoint_id = 'e' and event = 'v' and state = 'delivered' limit 1`,
  ),
  use(
    'webhook_delivery_owed',
    'src/webhooks/owed-deliveries.ts',
    'where is_owed and',
    `
    select id from webhook_delivery where is_owed order by created_at, id limit 10`,
  ),
  use(
    'webhook_event_merchant',
    'src/webhooks/redelivery/replay-page.ts',
    'order by created_at, id limit',
    `
    select id from webhook_event where merchant_id = 'm' and (created_at, id) > (${EPOCH}, 'e')
    order by created_at, id limit 10`,
  ),
  use(
    'webhook_event_transaction',
    'src/webhooks/log/list-transaction-events.ts',
    'where transaction_id =',
    `
    select id from webhook_event where transaction_id = 't5' and merchant_id = 'm3'`,
  ),
  use(
    'webhook_replay_endpoint',
    'src/webhooks/redelivery/follow-replay.ts',
    `.where('endpoint_id', '=', endpointId)`,
    `
    select * from webhook_replay where endpoint_id = 'e' order by created_at desc limit 1`,
  ),
];

/**
 * What each unique index keeps unique. Statements use them as well, but that is not their reason.
 */
export const UNIQUE_INDEXES: Readonly<Record<string, string>> = {
  actor_start_key: 'a start that is repeated',
  address_derivation_key_id_derivation_index_key: 'an address of one place in a wallet',
  api_key_key_hash_key: 'a key; callers are found by it',
  archived_actor_start_key_key: 'a start that is repeated after the actor was archived',
  dead_letter_queue_message_id_key: 'a letter of one message',
  derivation_key_fingerprint_key: 'a wallet, which has one row of addresses however many merchants name it',
  journal_entry_event: 'an event of one actor',
  mail_dedupe_key_key: 'an email about one thing',
  merchant_name_key: 'the name of a merchant',
  merchant_user_email: 'a login, whatever its capital letters',
  operation_run_request_id_key: 'a bulk run of one request',
  payment_link_code_key: 'the short address of a link; customers find it by that',
  schedule_idempotency: 'a schedule of one idempotency key',
  session_token_hash_key: 'a session; the signed-in user is found by it',
  transaction_idempotency: 'a transaction of one idempotency key',
  wallet_of_merchant: 'a wallet of one merchant for one coin',
  webhook_endpoint_url: 'an endpoint of one URL',
  webhook_replay_running: 'a replay that runs to one endpoint',
};

function use(index: string, at: string, says: string, statement: string): IndexUse {
  return { index, at, says, statement };
}

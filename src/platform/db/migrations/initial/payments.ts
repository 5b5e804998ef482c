import { GROWING, ID, VACUUMED_AS_IT_GROWS } from './storage.ts';

/** Payments as merchants see them, written in the commits of their actors. */
export const payments: readonly string[] = [
  // What was agreed: inserted once, with the indexes of all searches. Only the address for the
  // receipt may be given later, on the payment page; customer_gave_email is whether it was.
  `create table transaction_terms (
    id ${ID} primary key,
    merchant_id ${ID} not null,
    mode ${ID} not null,
    type ${ID} not null,
    crypto ${ID} not null,
    network ${ID} not null,
    deposit_address ${ID} not null,
    due_base_units numeric(78, 0) not null,
    amount_crypto text not null,
    amount_fiat text not null,
    amount_usd text not null,
    currency_fiat text not null,
    fiat_to_usd_rate text not null,
    exchange_rate text not null,
    rate_sources jsonb not null,
    rates_at timestamptz not null,
    confirmations_required int4 not null,
    order_id ${ID},
    customer_email text,
    customer_gave_email boolean not null default false,
    items jsonb,
    metadata jsonb,
    success_url text,
    cancel_url text,
    idempotency_key ${ID},
    request_hash ${ID},
    created_at timestamptz not null
  ) with (${GROWING}, ${VACUUMED_AS_IT_GROWS})`,
  `create unique index transaction_idempotency on transaction_terms (merchant_id, mode, idempotency_key)
    where idempotency_key is not null`,
  `create index transaction_listing on transaction_terms (merchant_id, mode, created_at desc, id desc)`,
  // Prefix searches. Exact order ids use the same index, newest first. By the primary key alone, a
  // search in one shop would read the payments of all others.
  `create index transaction_search_id on transaction_terms (merchant_id, mode, id)`,
  `create index transaction_search_order
    on transaction_terms (merchant_id, mode, order_id, created_at desc, id desc)
    where order_id is not null`,
  `create index transaction_search_customer on transaction_terms (merchant_id, mode, lower(customer_email))
    where customer_email is not null`,
  `create index transaction_search_address on transaction_terms (merchant_id, mode, lower(deposit_address))`,

  // What changes: every event writes this row anew, and with another status an entry in each of its
  // indexes. So it is narrow, and has few. It repeats the terms that its indexes sort and filter
  // by. step is the step of the journal that last changed the payment. client_hash,
  // client_subnet_hash and customer_hash are keyed hashes of the address, subnet and browser that
  // created a payment without a secret key, and opened_by_key is its publishable key: each may have
  // only so many payments open. The address itself is not kept after the request.
  `create table transaction_status (
    id ${ID} primary key,
    merchant_id ${ID} not null,
    mode ${ID} not null,
    type ${ID} not null,
    crypto ${ID} not null,
    network ${ID} not null,
    status ${ID} not null,
    exception ${ID},
    step int8 not null default 1,
    paid_base_units numeric(78, 0) not null,
    client_hash ${ID},
    client_subnet_hash ${ID},
    customer_hash ${ID},
    opened_by_key ${ID},
    created_at timestamptz not null,
    updated_at timestamptz not null,
    expires_at timestamptz not null,
    completed_at timestamptz,
    completed_by text,
    loss text check (loss in ('unconfirmed', 'gone'))
  ) with (fillfactor = 70, ${GROWING})`,
  // Lists have constant cost whatever their length. One filtered by status only, or by coin only,
  // merges a few ranges of the index by status and coin.
  `create index transaction_listing_status
    on transaction_status (merchant_id, mode, status, crypto, created_at desc, id desc)`,
  `create index transaction_listing_exception
    on transaction_status (merchant_id, mode, exception, crypto, created_at desc, id desc)
    where exception is not null`,
  // Almost all payments are basic: a list of those is the whole list with a few rows skipped, and
  // needs no index.
  `create index transaction_listing_type
    on transaction_status (merchant_id, mode, type, status, crypto, created_at desc, id desc)
    where type <> 'basic'`,
  // Accounts of open payments, for the watchers that compare balances: no others read it.
  `create index transaction_open_account on transaction_status (network, status, expires_at)
    where status in ('pending', 'partial', 'awaiting_confirmation', 'expired')
      and crypto not in ('BTC', 'LTC', 'DOGE', 'DASH')`,
  // Open payments of a client, and of a publishable key: few rows to count.
  `create index transaction_open_client on transaction_status (merchant_id, mode, client_hash)
    where client_hash is not null and status = 'pending'`,
  `create index transaction_open_keyless on transaction_status (opened_by_key)
    where opened_by_key is not null and status = 'pending'`,
  // Failed payments that are still monitored and whose customer's browser is known: few rows.
  `create index transaction_failed_customer on transaction_status (merchant_id, mode)
    where status = 'failed' and customer_hash is not null`,

  // Both, for readers. A left join, although each has both rows: a statement that uses only terms
  // then reads only terms.
  `create view transaction as
    select terms.*, status, exception, step, paid_base_units, client_hash, client_subnet_hash, customer_hash,
      opened_by_key, updated_at, expires_at, completed_at, completed_by, loss
    from transaction_terms as terms left join transaction_status as status_row on status_row.id = terms.id`,

  // Metadata values by which a payment is found: a hash of merchant, mode and value.
  `create table transaction_metadata (
    value_hash int8 not null,
    transaction_id ${ID} not null
  )`,
  `create index transaction_metadata_value on transaction_metadata (value_hash)`,

  `create table payment (
    transaction_id ${ID} not null,
    output_id ${ID} not null,
    network ${ID} not null,
    txid ${ID},
    amount_base_units numeric(78, 0) not null,
    presence text not null,
    status ${ID} not null,
    is_replaced boolean not null default false,
    is_declined boolean not null default false,
    missed_deadline boolean not null default false,
    given_up boolean not null default false,
    height int8,
    block_hash ${ID},
    first_seen_at timestamptz not null,
    confirmed_at timestamptz,
    primary key (transaction_id, output_id)
  ) with (fillfactor = 70, ${GROWING})`,
  `create index payment_txid on payment (txid)`,

  // Unassigned deposits. An output id identifies one output of one address: a contract can pay
  // several addresses in one transaction, and a balance increase is identified by its block alone.
  // Outputs beyond the maximum per payment are recorded here too. settled_at is when a user settled
  // one; later changes to it do not affect the others.
  `create table unassigned_payment (
    network ${ID} not null,
    output_id ${ID} not null,
    asset ${ID} not null,
    address ${ID} not null,
    transaction_id ${ID},
    reason text not null
      check (reason in
        ('unassigned_address', 'before_payment', 'monitoring_ended', 'other_asset', 'too_many_outputs')),
    txid ${ID},
    amount_base_units numeric(78, 0) not null,
    status ${ID} not null,
    height int8,
    chain_order int8 not null,
    first_seen_at timestamptz not null,
    settled_at timestamptz,
    primary key (network, address, asset, output_id)
  ) with (fillfactor = 70, ${GROWING})`,
  `create index unassigned_payment_seen on unassigned_payment (first_seen_at)`,
  `create index unassigned_payment_txid on unassigned_payment (txid) where transaction_id is not null`,
  `create index unassigned_payment_of_transaction on unassigned_payment (transaction_id) where transaction_id is not null`,

  // Payments that need a person's attention. revision distinguishes different coins with the same
  // total, so that a user settles only those that were displayed.
  `create table attention_item (
    transaction_id ${ID} not null,
    kind ${ID} not null check (kind in (
      'paid_late', 'needs_review', 'coins_lost', 'underpaid', 'overpaid', 'coins_on_closed', 'unassigned_coins'
    )),
    merchant_id ${ID} not null,
    mode ${ID} not null check (mode in ('live', 'test')),
    base_units numeric(78, 0) not null check (base_units >= 0),
    output_ids jsonb not null,
    revision int8 not null default 1,
    raised_at timestamptz not null,
    settled_at timestamptz,
    settled_by text,
    note text,
    settled_base_units numeric(78, 0) not null default 0 check (settled_base_units >= 0),
    settled_output_ids jsonb not null default '[]',
    primary key (transaction_id, kind),
    check (settled_at is not null or settled_by is null)
  )`,
  // Open items, lost coins first and then the oldest, and their count; settled items, newest first.
  `create index attention_item_open on attention_item
    (merchant_id, mode, (case when kind = 'coins_lost' then 0 else 1 end), raised_at, transaction_id, kind)
    where settled_at is null`,
  `create index attention_item_settled on attention_item (merchant_id, mode, settled_at, transaction_id, kind)
    where settled_at is not null`,
];

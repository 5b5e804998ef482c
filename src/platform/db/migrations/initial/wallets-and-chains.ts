import { GROWING, ID, QUEUE } from './storage.ts';

/** Wallets with all derived addresses, and what the watchers of the chains keep. */
export const walletsAndChains: readonly string[] = [
  // A wallet's key receives live payments or test payments, never both, and no key of a main
  // network can receive test payments.
  `create table derivation_key (
    id ${ID} primary key,
    network ${ID} not null,
    mode ${ID} not null default 'live' check (mode in ('live', 'test')),
    fingerprint ${ID} not null unique,
    extended_public_key text not null,
    address_type text not null,
    next_index int8 not null default 0 check (next_index between 0 and 2147483648),
    created_at timestamptz not null default now(),
    constraint derivation_key_no_test_on_main check (mode = 'live' or network not like '%-mainnet')
  ) with (fillfactor = 70, ${QUEUE})`,
  `create table wallet (
    id ${ID} primary key,
    merchant_id ${ID} references merchant (id),
    crypto ${ID} not null,
    network ${ID} not null,
    derivation_key_id ${ID} not null references derivation_key (id),
    created_at timestamptz not null default now()
  )`,
  `create unique index wallet_of_merchant on wallet (coalesce(merchant_id, ''), crypto, network)`,

  // No index contains a column that changes, so that updates write no index entry (heap-only
  // tuples); the fill factor leaves room for them on the page.
  `create table address (
    network ${ID} not null,
    address ${ID} not null,
    watch_key ${ID} not null,
    derivation_key_id ${ID} not null references derivation_key (id),
    derivation_index int8 not null,
    transaction_id ${ID},
    vetted_at timestamptz,
    taken_at timestamptz,
    taken_height int8,
    released_at timestamptz,
    found_used_at timestamptz,
    inserted_xid xid8 not null default pg_current_xact_id(),
    primary key (network, address),
    unique (derivation_key_id, derivation_index)
  ) with (fillfactor = 50, ${GROWING})`,
  // Payments found on a chain, and addresses derived since the watcher last asked.
  `create index address_watch_key on address (network, watch_key)`,
  `create index address_inserted on address (network, inserted_xid)`,
  // Addresses that may be assigned: assigning one deletes its row here. The key is the order in
  // which they are assigned.
  `create table free_address (
    derivation_key_id ${ID} not null,
    awaits_vetting boolean not null,
    derivation_index int8 not null,
    network ${ID} not null,
    primary key (derivation_key_id, awaits_vetting, derivation_index)
  ) with (${QUEUE})`,
  // Lowest derivation indices of all wallets first: the next addresses to be assigned are vetted
  // next.
  `create index free_address_unvetted on free_address (network, derivation_index) where awaits_vetting`,

  // balances_height lags behind height where a block was followed without updating the balances.
  `create table chain_cursor (
    network ${ID} primary key,
    epoch int8 not null,
    height int8,
    block_hash ${ID},
    tip_height int8,
    synced_until timestamptz,
    reorged jsonb not null default '[]',
    balances_height int8,
    balance_era int8 not null default 0,
    last_error text,
    last_error_at timestamptz,
    warnings jsonb not null default '[]',
    unwatched_assets jsonb not null default '[]',
    coin_fee numeric(78, 0),
    token_fee numeric(78, 0),
    fees_at timestamptz,
    reported_at timestamptz
  ) with (fillfactor = 50, ${QUEUE})`,
  `create table chain_block (
    network ${ID} not null,
    height int8 not null,
    block_hash ${ID} not null,
    outputs jsonb not null,
    flows jsonb,
    primary key (network, height)
  )`,
  // Outputs come and go with the mempool, in one small row each.
  `create table unsettled_output (
    network ${ID} not null,
    output_id ${ID} not null,
    output jsonb not null,
    primary key (network, output_id)
  ) with (${QUEUE})`,
  `create table chain_lease (
    network ${ID} primary key,
    holder text not null,
    expires_at timestamptz not null
  ) with (fillfactor = 50, ${QUEUE})`,

  // Balances of all watched accounts, updated per block and compared with the chain when due.
  `create table account_balance (
    network ${ID} not null,
    watch_key ${ID} not null,
    asset ${ID} not null,
    expected_base_units numeric(78, 0),
    era int8 not null default 0,
    due_at timestamptz not null default now(),
    primary key (network, watch_key, asset)
  ) with (fillfactor = 70)`,
  // The accounts due for comparison, of a million.
  `create index account_balance_due on account_balance (network, due_at)`,
];

import { ID, QUEUE } from './storage.ts';

/** Merchants with their API keys, request counts and audit log. */
export const merchants: readonly string[] = [
  // The provisioned columns record what the provisioning file said, so that applying the same file
  // again does not undo a purchase or what owners changed in the console. A plan bought on a 31st
  // ends on the last day of each month (plan_ends_on_day). A merchant that signed up itself needs
  // an operator's approval before mail is sent to its customers (approval_pending_since).
  // summarized_until is the end of the last day whose summary is settled: mailed, or not needed.
  `create table merchant (
    id ${ID} primary key,
    name text not null unique,
    email text not null,
    plan text not null,
    plan_cycle text check (plan_cycle in ('monthly', 'yearly')),
    plan_expires_at timestamptz,
    plan_ends_on_day int2 check (plan_ends_on_day between 1 and 31),
    limit_first_reached_in text,
    settings jsonb not null default '{}',
    provisioned_plan text,
    provisioned_email text,
    provisioned_settings jsonb,
    approval_pending_since timestamptz,
    first_paid_at timestamptz,
    summarized_until timestamptz,
    created_at timestamptz not null default now()
  )`,

  `create table api_key (
    id ${ID} primary key,
    merchant_id ${ID} not null references merchant (id),
    kind ${ID} not null check (kind in ('secret', 'publishable')),
    mode ${ID} not null check (mode in ('live', 'test')),
    name text not null default '',
    key_hash ${ID} not null unique,
    hint text not null,
    allowed_cidrs text[] not null default '{}',
    one_open_payment_per_ip boolean not null default false,
    created_at timestamptz not null,
    last_used_at timestamptz,
    retires_at timestamptz,
    revoked_at timestamptz,
    check (kind = 'secret' or allowed_cidrs = '{}')
  )`,
  `create index api_key_merchant on api_key (merchant_id)`,

  // Request counts per key and address. Unlogged: every request writes here, and a server crash
  // loses at most an hour of counts. So counting writes no WAL and waits for no disk.
  `create unlogged table request_count (
    subject ${ID} primary key,
    minute int8 not null,
    hour int8 not null,
    in_minute int8 not null,
    in_hour int8 not null,
    per_minute int8 not null,
    per_hour int8 not null,
    admitted int8 not null
  ) with (fillfactor = 50, ${QUEUE})`,
  `create index request_count_hour on request_count (hour)`,

  // Operators' actions concern no merchant.
  `create table audit_entry (
    id int8 generated always as identity primary key,
    merchant_id ${ID} references merchant (id),
    who text not null,
    what text not null,
    subject_id ${ID} not null,
    details jsonb not null default '{}',
    occurred_at timestamptz not null
  )`,
  `create index audit_entry_merchant on audit_entry (merchant_id, id)`,
  // Expired entries.
  `create index audit_entry_occurred_at on audit_entry (occurred_at)`,
  // Recently replaced wallets for a merchant's first page, however long its audit log.
  `create index audit_entry_replaced_wallets on audit_entry (merchant_id, occurred_at) where what = 'wallet.replaced'`,
];

/** Images that merchants upload, apart from the rows that refer to them, which stay narrow. */
export const images: readonly string[] = [
  // By the SHA-256 of the bytes, so that the address of an image may be cached forever.
  `create table image (
    id ${ID} primary key,
    content_type ${ID} not null check (content_type in ('image/png', 'image/jpeg', 'image/webp')),
    bytes bytea not null check (length(bytes) between 1 and 262144),
    created_at timestamptz not null
  )`,
];

import { ID, QUEUE } from './storage.ts';

/**
 * Users with their sessions, the counts that throttle guessing, and what is sent to them by mail.
 */
export const accounts: readonly string[] = [
  // Merchants' users have a merchant; operators and observers have none.
  `create table merchant_user (
    id ${ID} primary key,
    merchant_id ${ID} references merchant (id),
    role text not null default 'owner' check (role in ('owner', 'staff', 'operator', 'observer')),
    email text not null,
    password_hash text,
    sealed_totp_secret text,
    totp_confirmed_at timestamptz,
    totp_last_step int8,
    created_at timestamptz not null default now(),
    disabled_at timestamptz,
    constraint merchant_user_place check ((role in ('owner', 'staff')) = (merchant_id is not null)),
    constraint merchant_user_totp check (totp_confirmed_at is null or sealed_totp_secret is not null)
  )`,
  // Email addresses are case-insensitive.
  `create unique index merchant_user_email on merchant_user (lower(email))`,
  // Every commit of an email checks whether the customer is one of the merchant's own logins.
  `create index merchant_user_merchant on merchant_user (merchant_id, id)`,

  // network_hash is a hash of the network the session was started from: attempts from a login's
  // known networks are counted separately. password_given_at is when the user last re-entered the
  // password; null since signing in.
  `create table session (
    id ${ID} primary key,
    token_hash ${ID} not null unique,
    user_id ${ID} not null references merchant_user (id),
    user_agent text not null,
    network_hash ${ID} not null,
    created_at timestamptz not null,
    last_seen_at timestamptz not null,
    password_given_at timestamptz,
    expires_at timestamptz not null,
    revoked_at timestamptz
  )`,
  `create index session_user_id on session (user_id, created_at)`,

  `create table recovery_code (
    user_id ${ID} not null references merchant_user (id),
    code_hash ${ID} not null,
    created_at timestamptz not null,
    used_at timestamptz,
    primary key (user_id, code_hash)
  )`,

  `create table login_throttle (
    key ${ID} primary key,
    attempts int4 not null check (attempts >= 0),
    last_at timestamptz not null,
    blocked_until timestamptz not null
  ) with (${QUEUE})`,
  `create index login_throttle_last_at on login_throttle (last_at)`,

  `create table account_token (
    token_hash ${ID} primary key,
    user_id ${ID} not null references merchant_user (id),
    purpose text not null check (purpose in ('invitation', 'password_reset')),
    created_at timestamptz not null,
    expires_at timestamptz not null
  )`,
  `create index account_token_user on account_token (user_id)`,

  `create table sign_up (
    token_hash ${ID} primary key,
    email text not null,
    merchant_name text not null,
    created_at timestamptz not null,
    expires_at timestamptz not null
  )`,
  `create index sign_up_expires_at on sign_up (expires_at)`,

  // At most one row, while the installation has no user yet.
  `create table setup_link (
    token_hash ${ID} primary key,
    created_at timestamptz not null
  )`,
];

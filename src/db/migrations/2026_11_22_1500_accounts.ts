import { type Kysely, sql } from 'kysely';

/** Users: roles, second factor, sessions, and the counts that throttle guessing. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await refuseTwins(db);
  await sql`
    alter table merchant_user
      drop constraint merchant_user_email_key,
      alter column merchant_id drop not null,
      alter column password_hash drop not null,
      add column role text not null default 'owner' check (role in ('owner', 'staff', 'operator', 'observer')),
      add column sealed_totp_secret text,
      add column totp_confirmed_at timestamptz,
      add column totp_last_step int8,
      add column disabled_at timestamptz,
      add constraint merchant_user_place check ((role in ('owner', 'staff')) = (merchant_id is not null)),
      add constraint merchant_user_totp check (totp_confirmed_at is null or sealed_totp_secret is not null)`.execute(
    db,
  );
  await sql`create unique index merchant_user_email on merchant_user (lower(email))`.execute(db);
  // Operators' actions concern no merchant.
  await sql`alter table audit_entry alter column merchant_id drop not null`.execute(db);
  await sql`
    create table session (
      id text primary key,
      token_hash text not null unique,
      user_id text not null references merchant_user (id),
      user_agent text not null,
      created_at timestamptz not null,
      last_seen_at timestamptz not null,
      expires_at timestamptz not null,
      revoked_at timestamptz
    )`.execute(db);
  await sql`create index session_user_id on session (user_id, created_at)`.execute(db);
  await sql`
    create table recovery_code (
      user_id text not null references merchant_user (id),
      code_hash text not null,
      created_at timestamptz not null,
      used_at timestamptz,
      primary key (user_id, code_hash)
    )`.execute(db);
  await sql`
    create table login_throttle (
      key text primary key,
      attempts int4 not null check (attempts >= 0),
      last_at timestamptz not null,
      blocked_until timestamptz not null
    )`.execute(db);
  await sql`create index login_throttle_last_at on login_throttle (last_at)`.execute(db);
  await sql`
    create table account_token (
      token_hash text primary key,
      user_id text not null references merchant_user (id),
      purpose text not null check (purpose in ('invitation', 'password_reset')),
      created_at timestamptz not null,
      expires_at timestamptz not null
    )`.execute(db);
  await sql`create index account_token_user on account_token (user_id)`.execute(db);
  await sql`
    create table sign_up (
      token_hash text primary key,
      email text not null,
      merchant_name text not null,
      password_hash text not null,
      created_at timestamptz not null,
      expires_at timestamptz not null
    )`.execute(db);
  await sql`create index sign_up_expires_at on sign_up (expires_at)`.execute(db);
}

/** E-mail addresses become case-insensitive. A person must decide which of two logins stays. */
async function refuseTwins(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ ids: string }>`
    select string_agg(id, ' and ' order by id) as ids from merchant_user
    group by lower(email) having count(*) > 1`.execute(db);
  if (rows.length === 0) return;
  throw new Error(
    `Logins whose e-mail differs only in capital letters: ${rows.map(({ ids }) => ids).join('; ')}. ` +
      'Change the email of all but one of each in merchant_user, then start again.',
  );
}

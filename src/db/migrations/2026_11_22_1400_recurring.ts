import { type Kysely, sql } from 'kysely';

/**
 * Recurring payment requests: schedules, periods, their payment attempts, and the links in mails.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table schedule (
      id text primary key,
      merchant_id text not null references merchant (id),
      mode text not null check (mode in ('live', 'test')),
      reference text,
      customer_email text not null,
      description text not null,
      amount_fiat text not null,
      currency_fiat text not null,
      interval text not null check (interval in ('weekly', 'monthly', 'quarterly', 'yearly')),
      crypto text,
      start_at timestamptz,
      max_periods int4 check (max_periods > 0),
      metadata jsonb,
      success_url text,
      status text not null,
      end_reason text,
      confirmations_sent int4 not null,
      last_period_no int4 not null,
      next_due_at timestamptz,
      idempotency_key text,
      request_hash text,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      confirmed_at timestamptz,
      ended_at timestamptz
    ) with (fillfactor = 80)`.execute(db);
  // Order of the lists, with and without a filter.
  await sql`create index schedule_list on schedule (merchant_id, mode, created_at, id)`.execute(db);
  await sql`create index schedule_by_status on schedule (merchant_id, mode, status, created_at, id)`.execute(db);
  await sql`
    create index schedule_by_reference on schedule (merchant_id, mode, reference, created_at, id)
    where reference is not null`.execute(db);
  await sql`
    create unique index schedule_idempotency on schedule (merchant_id, mode, idempotency_key)
    where idempotency_key is not null`.execute(db);
  // Confirmations sent and not yet answered.
  await sql`
    create index schedule_unconfirmed on schedule (lower(customer_email), merchant_id)
    where status = 'pending_confirmation'`.execute(db);

  await sql`
    create table schedule_period (
      schedule_id text not null references schedule (id),
      period_no int4 not null check (period_no > 0),
      status text not null check (status in ('awaited', 'paid', 'unpaid', 'skipped')),
      due_at timestamptz not null,
      requested_at timestamptz,
      reminders_sent int4 not null default 0,
      settled_at timestamptz,
      transaction_id text,
      primary key (schedule_id, period_no),
      check ((status = 'paid') = (transaction_id is not null)),
      check ((status = 'skipped') = (requested_at is null))
    ) with (fillfactor = 80)`.execute(db);

  await sql`
    create table schedule_attempt (
      transaction_id text primary key,
      schedule_id text not null,
      period_no int4 not null,
      is_excess bool not null default false,
      foreign key (schedule_id, period_no) references schedule_period (schedule_id, period_no)
    )`.execute(db);
  await sql`create index schedule_attempt_of_period on schedule_attempt (schedule_id, period_no)`.execute(db);

  // Every commit of a mail checks whether the customer is one of the merchant's own logins.
  await sql`create index merchant_user_merchant on merchant_user (merchant_id, id)`.execute(db);

  await sql`
    create table schedule_token (
      hash text primary key,
      purpose text not null check (purpose in ('confirm', 'stop', 'pay')),
      schedule_id text not null references schedule (id),
      period_no int4,
      check ((purpose = 'pay') = (period_no is not null))
    )`.execute(db);
}

import { GROWING, ID } from './storage.ts';

/** The mailbox of an address: one for all of its +tag addresses (RFC 5233). */
const MAILBOX = (column: string) => `lower(regexp_replace(${column}, '^([^+@]+)[+][^@]*@', '\\1@'))`;

/**
 * Recurring payment requests with their periods, payment attempts and links, and the mail queue.
 */
export const recurringAndMail: readonly string[] = [
  `create table schedule (
    id ${ID} primary key,
    merchant_id ${ID} not null references merchant (id),
    mode ${ID} not null check (mode in ('live', 'test')),
    reference ${ID},
    customer_email text not null,
    description text not null,
    amount_fiat text not null,
    currency_fiat text not null,
    interval text not null check (interval in ('weekly', 'monthly', 'quarterly', 'yearly')),
    crypto ${ID},
    start_at timestamptz,
    max_periods int4 check (max_periods > 0),
    metadata jsonb,
    success_url text,
    status ${ID} not null,
    end_reason text,
    confirmations_sent int4 not null,
    last_period_no int4 not null,
    next_due_at timestamptz,
    idempotency_key ${ID},
    request_hash ${ID},
    created_at timestamptz not null,
    updated_at timestamptz not null,
    confirmed_at timestamptz,
    ended_at timestamptz
  ) with (fillfactor = 80)`,
  // Order of the lists, with and without a filter.
  `create index schedule_list on schedule (merchant_id, mode, created_at, id)`,
  `create index schedule_by_status on schedule (merchant_id, mode, status, created_at, id)`,
  `create index schedule_by_reference on schedule (merchant_id, mode, reference, created_at, id)
    where reference is not null`,
  `create unique index schedule_idempotency on schedule (merchant_id, mode, idempotency_key)
    where idempotency_key is not null`,
  // Confirmations sent and not yet answered.
  `create index schedule_unconfirmed on schedule (${MAILBOX('customer_email')}, merchant_id)
    where status = 'pending_confirmation'`,

  `create table schedule_period (
    schedule_id ${ID} not null references schedule (id),
    period_no int4 not null check (period_no > 0),
    status ${ID} not null check (status in ('awaited', 'paid', 'unpaid', 'skipped')),
    due_at timestamptz not null,
    requested_at timestamptz,
    reminders_sent int4 not null default 0,
    settled_at timestamptz,
    transaction_id ${ID},
    primary key (schedule_id, period_no),
    check ((status = 'paid') = (transaction_id is not null)),
    check ((status = 'skipped') = (requested_at is null))
  ) with (fillfactor = 80)`,
  `create table schedule_attempt (
    transaction_id ${ID} primary key,
    schedule_id ${ID} not null,
    period_no int4 not null,
    is_excess bool not null default false,
    foreign key (schedule_id, period_no) references schedule_period (schedule_id, period_no)
  )`,
  `create index schedule_attempt_of_period on schedule_attempt (schedule_id, period_no)`,
  `create table schedule_token (
    hash ${ID} primary key,
    purpose text not null check (purpose in ('confirm', 'stop', 'pay')),
    schedule_id ${ID} not null references schedule (id),
    period_no int4,
    check ((purpose = 'pay') = (period_no is not null))
  )`,

  // Bounces of an email come back to its actor (actor_id). A bounced mail keeps the time at which a
  // server had accepted it. uncertain_tries counts attempts with unknown outcome.
  `create table mail (
    id ${ID} primary key,
    merchant_id ${ID} references merchant (id),
    actor_id ${ID},
    recipient text not null,
    from_name text,
    subject text not null,
    text text not null,
    html text not null,
    headers jsonb not null default '{}',
    dedupe_key ${ID} not null unique,
    state ${ID} not null check (state in ('queued', 'stored', 'sent', 'failed')),
    tries int2 not null default 0,
    uncertain_tries int2 not null default 0,
    is_leased bool not null default false,
    next_try_at timestamptz,
    last_error text,
    failed_because text check (failed_because in ('bounced', 'refused', 'gave_up')),
    created_at timestamptz not null,
    sent_at timestamptz,
    constraint mail_queued_has_next_try check ((state = 'queued') = (next_try_at is not null)),
    constraint mail_failed_has_reason check ((state = 'failed') = (failed_because is not null)),
    constraint mail_sent_has_moment check (state <> 'sent' or sent_at is not null),
    constraint mail_moment_means_sent check (sent_at is null or state in ('sent', 'failed'))
  ) with (${GROWING})`,
  `create index mail_due on mail (next_try_at) where state = 'queued' and actor_id is not null`,
  `create index mail_due_first on mail (next_try_at) where state = 'queued' and actor_id is null`,
  // Counts recent mail to an address.
  `create index mail_by_recipient on mail (${MAILBOX('recipient')}, created_at)`,
  // The development inbox, newest first.
  `create index mail_stored on mail (created_at, id) where state = 'stored'`,
  // Failures of the last days, for the health of the installation.
  `create index mail_failed on mail (created_at) where state = 'failed'`,
  // Expired mail, oldest first.
  `create index mail_over on mail (created_at, id) where state <> 'queued'`,
];

import { ID } from './storage.ts';

/** Alerts for operators, the actions they have taken, and bulk runs. */
export const operations: readonly string[] = [
  `create table operator_alert (
    id int8 generated always as identity primary key,
    actor_id ${ID},
    alert text not null,
    detail text not null,
    created_at timestamptz not null default now(),
    resolved_at timestamptz
  )`,
  `create index operator_alert_open on operator_alert (created_at, id) where resolved_at is null`,

  // inserted_xid orders actions of the same millisecond by the start of their transactions; within
  // it, their ids are random.
  `create table operator_action (
    request_id ${ID} primary key,
    who text not null,
    what text not null check (what in (
      'event.sent', 'dead_letter.retried', 'dead_letter.dismissed', 'dead_letters.retry_planned', 'events.planned',
      'run.started', 'run.paused', 'run.cancelled', 'plan.changed', 'merchant.plan_assigned', 'merchant.approved',
      'secrets.resealed', 'network.rescanned', 'restore.finished', 'actors.migrated',
      'image.removed', 'alert.resolved'
    )),
    subject_id ${ID} not null,
    details jsonb not null,
    reason text not null,
    asked_at timestamptz not null,
    inserted_xid int8 not null default (pg_current_xact_id()::text::int8),
    done int4 not null default 0,
    outcome text,
    settled_at timestamptz,
    check ((outcome is null) = (settled_at is null))
  )`,
  `create index operator_action_newest on operator_action (asked_at, request_id)`,
  `create index operator_action_by_person on operator_action (who, asked_at, request_id)`,

  `create table operation_run (
    id ${ID} primary key,
    request_id ${ID} not null unique,
    who text not null,
    task jsonb not null,
    filter jsonb not null,
    reason text not null,
    state ${ID} not null check (state in ('planned', 'running', 'paused', 'cancelled', 'done')),
    total int4 not null,
    created_at timestamptz not null,
    ended_at timestamptz,
    leased_until timestamptz not null default '-infinity',
    check ((ended_at is null) = (state in ('planned', 'running', 'paused')))
  )`,
  `create index operation_run_newest on operation_run (created_at, id)`,
  `create index operation_run_running on operation_run (leased_until) where state = 'running'`,
  `create table operation_item (
    run_id ${ID} not null references operation_run (id),
    position int4 not null,
    subject_id ${ID} not null,
    expected_sequence int8,
    outcome text,
    detail text,
    settled_at timestamptz,
    primary key (run_id, position)
  )`,
  `create index operation_item_open on operation_item (run_id, position) where outcome is null`,
];

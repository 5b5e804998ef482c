import { type RawBuilder, sql } from 'kysely';
import type { RetentionDays } from '../../platform/config/index.ts';

/**
 * What is deleted once it is old enough, one rule each. Operators configure the age; the rule
 * decides what may be deleted.
 */
export interface RetentionRule {
  /** For logs and documentation. */
  readonly what: string;
  /** Tables it deletes from. Every other one is in test/operations/storage/kept-tables.ts. */
  readonly tables: readonly string[];
  readonly days: keyof RetentionDays;
  /**
   * One statement that deletes at most `limit` rows, skipping locked rows and rows still
   * needed. Returns a row for each.
   */
  readonly expire: (before: Date, limit: number) => RawBuilder<unknown>;
}

/** In execution order: referencing rows are deleted before the rows they refer to. */
export const RETENTION_RULES: readonly RetentionRule[] = [
  {
    what: 'webhook attempts',
    tables: ['webhook_attempt'],
    days: 'webhookAttempts',
    expire: oldest(
      'webhook_attempt',
      ['delivery_id', 'attempt', 'started_at'],
      (before) => sql`started_at < ${before}`,
    ),
  },
  {
    what: 'webhook events with their deliveries',
    tables: ['webhook_event', 'webhook_delivery'],
    days: 'webhookEvents',
    expire: expireEvents,
  },
  {
    what: 'webhook replays',
    tables: ['webhook_replay'],
    days: 'webhookEvents',
    expire: oldest('webhook_replay', ['id'], (before) => sql`ended_at < ${before}`),
  },
  {
    // Queued emails are kept, however old.
    what: 'mails',
    tables: ['mail'],
    days: 'mails',
    expire: oldest('mail', ['id'], (before) => sql`created_at < ${before} and state <> 'queued'`),
  },
  {
    // Images that no link and no merchant shows, counted from their last upload, or from when a
    // logo was replaced. Emails show logos by URL.
    what: 'unused images',
    tables: ['image'],
    days: 'mails',
    expire: oldest(
      'image',
      ['id'],
      (before) => sql`created_at < ${before}
        and not exists (select from payment_link where image_id = image.id)
        and not exists (select from merchant where settings ->> 'logo' = image.id)`,
    ),
  },
  {
    what: 'resolved dead letters',
    tables: ['dead_letter'],
    days: 'deadLetters',
    expire: oldest('dead_letter', ['id'], (before) => sql`resolved_at < ${before}`),
  },
  { what: 'items of bulk runs', tables: ['operation_item'], days: 'runs', expire: expireItems },
  {
    what: 'bulk runs',
    tables: ['operation_run'],
    days: 'runs',
    expire: oldest(
      'operation_run',
      ['id'],
      (before) => sql`created_at < ${before} and ended_at < ${before}
        and not exists (select from operation_item where run_id = operation_run.id)`,
    ),
  },
  {
    what: 'sessions',
    tables: ['session'],
    days: 'sessions',
    expire: oldest('session', ['id'], (before) => sql`least(expires_at, revoked_at) < ${before}`),
  },
  {
    what: 'invitation and password reset links',
    tables: ['account_token'],
    days: 'sessions',
    expire: oldest('account_token', ['token_hash'], (before) => sql`expires_at < ${before}`),
  },
  {
    what: 'unconfirmed sign-ups',
    tables: ['sign_up'],
    days: 'sessions',
    expire: oldest('sign_up', ['token_hash'], (before) => sql`expires_at < ${before}`),
  },
  {
    what: 'merchant audit log entries',
    tables: ['audit_entry'],
    days: 'audit',
    expire: byFunction('expire_audit_entries'),
  },
  {
    what: 'operator actions',
    tables: ['operator_action'],
    days: 'audit',
    expire: byFunction('expire_operator_actions'),
  },
  // Counted from their end, and from the last entry of their journals.
  { what: 'archived actors', tables: ['actor_archive'], days: 'archive', expire: byFunction('expire_archived_actors') },
];

// Helpers

/**
 * For append-only tables, from which the role of the service may not delete: a
 * function of their owner does.
 */
function byFunction(name: string): RetentionRule['expire'] {
  return (before, limit) => sql`select ${sql.ref(name)}(${before}, ${limit})`;
}

/** By key, not by `ctid`: in a partitioned table, several rows have the same `ctid`. */
function oldest(
  table: string,
  key: readonly string[],
  isOver: (before: Date) => RawBuilder<unknown>,
): RetentionRule['expire'] {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  const isSame = sql.join(
    key.map((column) => sql`${sql.ref(`${table}.${column}`)} = ${sql.ref(`old.${column}`)}`),
    sql` and `,
  );
  return (before, limit) => sql`
    delete from ${sql.table(table)} using (
      select ${columns} from ${sql.table(table)} where ${isOver(before)} limit ${limit} for update skip locked
    ) as old where ${isSame} returning 1`;
}

/**
 * Deletes an event with all its deliveries once all have ended, unless a running
 * replay may still reach it.
 */
function expireEvents(before: Date, limit: number): RawBuilder<unknown> {
  return sql`
    with old as (
      select event.id from merchant cross join lateral (
        select id from webhook_event
        where merchant_id = merchant.id and created_at < ${before}
          and not exists (select from webhook_delivery where webhook_event_id = webhook_event.id and ended_at is null)
          and not exists (
            select from webhook_replay
            where webhook_replay.merchant_id = merchant.id and webhook_replay.state = 'running'
              and since <= webhook_event.created_at)
        order by created_at, id limit ${limit} for update skip locked
      ) as event limit ${limit}
    ), ended as (
      delete from webhook_delivery using old where webhook_event_id = old.id
    )
    delete from webhook_event using old where webhook_event.id = old.id returning 1`;
}

function expireItems(before: Date, limit: number): RawBuilder<unknown> {
  return sql`
    delete from operation_item using (
      select run_id, position from operation_run join operation_item on run_id = operation_run.id
      where created_at < ${before} and ended_at < ${before} limit ${limit} for update of operation_item skip locked
    ) as old where operation_item.run_id = old.run_id and operation_item.position = old.position returning 1`;
}

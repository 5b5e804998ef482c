import { type Kysely, sql } from 'kysely';
import { DAY_MS } from '../../../../machines/index.ts';
import type { RetentionDays } from '../../../../src/platform/config/index.ts';
import type { Database } from '../../../../src/platform/db/index.ts';
import type { RetentionRun } from './history.ts';

/**
 * The rules of docs/operators/storage.md, implemented a second time over a database that is never
 * cleaned: which actors are archived so far, and which rows are deleted.
 */
export class Kept {
  /** When the last entry of their journals was written. */
  readonly archived = new Map<string, number>();
  readonly #gone = new Set<string>();

  isKept(table: string, key: string): boolean {
    return !this.#gone.has(`${table} ${key}`);
  }

  /** Number of actors archived and rows deleted so far. */
  count(): number {
    return this.archived.size + this.#gone.size;
  }

  /** Whether any row of a table was deleted. */
  hasLost(table: string): boolean {
    return [...this.#gone].some((row) => row.startsWith(`${table} `));
  }

  /** Applies what a round at this time deletes. */
  async applyRetention(
    everything: Kysely<Database>,
    now: number,
    { archiveAfterDays, retention }: RetentionRun,
  ): Promise<void> {
    for (const { id, lastEntryAt } of await readDone(everything, now - archiveAfterDays * DAY_MS)) {
      if (!this.archived.has(id)) this.archived.set(id, lastEntryAt);
    }
    for (const { table, days, isOver } of TABLES) {
      const keptDays = days === null ? null : retention[days];
      if (keptDays === null) continue;
      const before = now - keptDays * DAY_MS;
      for (const { key, row } of await readRows(everything, table)) {
        if (isOver(row, before, this)) this.#gone.add(`${table} ${key}`);
      }
    }
  }
}

interface Table {
  readonly table: string;
  /** Identifies its rows in every database. */
  readonly key: string;
  readonly days: keyof RetentionDays | null;
  readonly isOver: (row: Row, before: number, kept: Kept) => boolean;
}
type Row = Readonly<Record<string, unknown>>;

/** Null is never before anything. */
const isBefore = (moment: unknown, before: number) => typeof moment === 'number' && moment < before;
const isRunOver = (row: Row, before: number) => isBefore(row.created_at, before) && isBefore(row.ended_at, before);
const isEventOver = (row: Row, before: number) => isBefore(row.event_created_at, before) && row.open === 0;

export const TABLES: readonly Table[] = [
  {
    table: 'webhook_attempt',
    key: "delivery_id || ' ' || attempt || ' ' || extract(epoch from started_at)",
    days: 'webhookAttempts',
    isOver: (row, before) => isBefore(row.started_at, before),
  },
  { table: 'webhook_event', key: 'id', days: 'webhookEvents', isOver: isEventOver },
  { table: 'webhook_delivery', key: 'id', days: 'webhookEvents', isOver: isEventOver },
  {
    table: 'mail',
    key: 'id',
    days: 'mails',
    isOver: (row, before) => isBefore(row.created_at, before) && row.state !== 'queued',
  },
  {
    table: 'dead_letter',
    key: 'message_id',
    days: 'deadLetters',
    isOver: (row, before) => isBefore(row.resolved_at, before),
  },
  { table: 'operation_run', key: 'id', days: 'runs', isOver: isRunOver },
  { table: 'operation_item', key: 'run_id', days: 'runs', isOver: isRunOver },
  {
    table: 'session',
    key: 'id',
    days: 'sessions',
    isOver: (row, before) => isBefore(row.expires_at, before) || isBefore(row.revoked_at, before),
  },
  {
    table: 'audit_entry',
    key: 'subject_id',
    days: 'audit',
    isOver: (row, before) => isBefore(row.occurred_at, before),
  },
  {
    table: 'operator_action',
    key: 'request_id',
    days: 'audit',
    isOver: (row, before) => isBefore(row.asked_at, before),
  },
  {
    // In the database that is never cleaned: the actors that would be archived.
    table: 'actor',
    key: 'id',
    days: 'archive',
    isOver: ({ id, state_entered_at }, before, { archived }) =>
      isBefore(state_entered_at, before) && isBefore(archived.get(String(id)), before),
  },
  ...['transaction_terms', 'transaction_status', 'payment', 'merchant_user'].map((table) => ({
    table,
    key: table === 'payment' ? 'output_id' : 'id',
    days: null,
    isOver: () => false,
  })),
];

/** The keys of a table's rows, with the columns that the rules need. */
export async function readRows(
  db: Kysely<Database>,
  table: string,
): Promise<readonly { readonly key: string; readonly row: Row }[]> {
  const described = TABLES.find((each) => each.table === table);
  if (described === undefined) throw new Error(`nothing is known of ${table}`);
  const { rows } = await sql<Row>`
    select ${sql.raw(described.key)} as "key", ${sql.raw(COLUMNS_OF[table] ?? '*')} from ${sql.table(table)}`.execute(
    db,
  );
  return rows.map((row) => ({ key: String(row.key), row }));
}

// Helpers

const open = (eventId: string) =>
  `(select count(*) from webhook_delivery as other where other.webhook_event_id = ${eventId} and ended_at is null)::int8 as open`;
/** Columns that the rules need from other tables. */
const COLUMNS_OF: Readonly<Record<string, string>> = {
  webhook_event: `created_at as event_created_at, ${open('webhook_event.id')}`,
  webhook_delivery: `(select created_at from webhook_event where id = webhook_event_id) as event_created_at,
    ${open('webhook_delivery.webhook_event_id')}`,
  operation_item: `(select created_at from operation_run where id = run_id) as created_at,
    (select ended_at from operation_run where id = run_id) as ended_at`,
};

async function readDone(
  db: Kysely<Database>,
  before: number,
): Promise<readonly { readonly id: string; readonly lastEntryAt: number }[]> {
  const { rows } = await sql<{ id: string; lastEntryAt: number }>`
    select id, (select max(at) from journal_entry where actor_id = actor.id) as "lastEntryAt" from actor
    where status = 'done' and state_entered_at < ${new Date(before)}`.execute(db);
  return rows;
}

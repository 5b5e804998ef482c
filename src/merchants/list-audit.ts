import { type Kysely, sql } from 'kysely';
import type { UnixMs } from '../../machines/index.ts';
import type { Database } from '../db/index.ts';
import type { AuditedAction } from './audit.ts';

export interface AuditFilter {
  readonly merchantId: string;
  /** Noun of the actions, like `api_key`; null for all. */
  readonly about: string | null;
  /** At this moment or later; null for all. */
  readonly from: UnixMs | null;
}

/** Where a page begins, and how long it is. */
export interface AuditPosition {
  /** Id of the last entry of the page before; null for the newest. */
  readonly before: number | null;
  readonly limit: number;
}

export interface ListedAuditEntry {
  readonly id: number;
  readonly what: AuditedAction;
  /** As it was written down, like `user usr_…` or `command line, root`. */
  readonly who: string;
  /** Address of the user that `who` names, when it is one of this merchant's; else null. */
  readonly whoEmail: string | null;
  readonly subjectId: string;
  /** The same of the subject. */
  readonly subjectEmail: string | null;
  readonly details: Readonly<Record<string, unknown>>;
  readonly at: UnixMs;
}

export interface AuditPage {
  readonly entries: readonly ListedAuditEntry[];
  /** `before` of the next page; null at the end. */
  readonly next: number | null;
}

/**
 * What was done to and by a merchant, newest first. The audit holds ids alone, so people are looked up as they are called now, and
 * only those of the merchant itself. Read through the index on merchant and id.
 */
export async function listAudit(
  db: Kysely<Database>,
  { merchantId, about, from }: AuditFilter,
  { before, limit }: AuditPosition,
): Promise<AuditPage> {
  const { rows } = await sql<AuditRow>`
    select audit_entry.id, what, who, person.email as who_email, subject_id, subject.email as subject_email, details,
      occurred_at
    from audit_entry
    left join merchant_user as person
      on person.merchant_id = audit_entry.merchant_id and who = ${PERSON_PREFIX} || person.id
    left join merchant_user as subject
      on subject.merchant_id = audit_entry.merchant_id and subject.id = subject_id
    where audit_entry.merchant_id = ${merchantId}
      ${before === null ? sql`` : sql`and audit_entry.id < ${before}::int8`}
      ${about === null ? sql`` : sql`and starts_with(what, ${`${about}.`})`}
      ${from === null ? sql`` : sql`and occurred_at >= ${new Date(from)}`}
    order by audit_entry.id desc limit ${limit + 1}`.execute(db);
  const entries = rows.slice(0, limit).map(toEntry);
  return { entries, next: rows.length > limit ? (entries.at(-1)?.id ?? null) : null };
}

// Helpers

/** How a user is written down as the one who did something. */
const PERSON_PREFIX = 'user ';

/** Closed sets are as they were written: by `writeAudit`. */
interface AuditRow {
  readonly id: number;
  readonly what: AuditedAction;
  readonly who: string;
  readonly who_email: string | null;
  readonly subject_id: string;
  readonly subject_email: string | null;
  readonly details: Readonly<Record<string, unknown>>;
  readonly occurred_at: UnixMs;
}

function toEntry(row: AuditRow): ListedAuditEntry {
  return {
    id: row.id,
    what: row.what,
    who: row.who,
    whoEmail: row.who_email,
    subjectId: row.subject_id,
    subjectEmail: row.subject_email,
    details: row.details,
    at: row.occurred_at,
  };
}

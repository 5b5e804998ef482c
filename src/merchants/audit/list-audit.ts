import { type Kysely, sql } from 'kysely';
import type { UnixMs } from '../../../machines/index.ts';
import type { Database } from '../../platform/db/index.ts';
import type { AuditedAction } from './audit.ts';
import { type AuditSubject, auditSubject, type StoredSubject } from './audit-subjects.ts';

export interface AuditFilter {
  readonly merchantId: string;
  /** Object type of the actions, such as `api_key`; null for all. */
  readonly about: string | null;
  /** At this time or later; null for all. */
  readonly from: UnixMs | null;
}

/** Start and length of a page. */
export interface AuditPosition {
  /** Id of the last entry of the previous page; null for the newest. */
  readonly before: number | null;
  readonly limit: number;
}

export interface ListedAuditEntry {
  readonly id: number;
  readonly what: AuditedAction;
  /** As stored, such as `user usr_…` or `command line, root`. */
  readonly who: string;
  /** Email address of the user in `who` if it belongs to this merchant; else null. */
  readonly whoEmail: string | null;
  readonly subjectId: string;
  /** Null for what no longer exists or belongs to others, and for kinds without a name. */
  readonly subject: AuditSubject | null;
  readonly details: Readonly<Record<string, unknown>>;
  readonly at: UnixMs;
}

export interface AuditPage {
  readonly entries: readonly ListedAuditEntry[];
  /** `before` of the next page; null on the last. */
  readonly next: number | null;
}

/**
 * Audit entries of a merchant, newest first. The audit stores only ids, so users and subjects are
 * shown by their current names, and only this merchant's own. Uses the index on merchant and id.
 */
export async function listAudit(
  db: Kysely<Database>,
  { merchantId, about, from }: AuditFilter,
  { before, limit }: AuditPosition,
): Promise<AuditPage> {
  const { rows } = await sql<AuditRow>`
    select audit_entry.id, what, who, person.email as "whoEmail", subject_id as "subjectId", ${auditSubject} as subject,
      details, occurred_at as at
    from audit_entry
    left join merchant_user as person
      on person.merchant_id = audit_entry.merchant_id and who = ${PERSON_PREFIX} || person.id
    where audit_entry.merchant_id = ${merchantId}
      ${before === null ? sql`` : sql`and audit_entry.id < ${before}::int8`}
      ${about === null ? sql`` : sql`and starts_with(what, ${`${about}.`})`}
      ${from === null ? sql`` : sql`and occurred_at >= ${new Date(from)}`}
    order by audit_entry.id desc limit ${limit + 1}`.execute(db);
  const entries = rows.slice(0, limit).map(toEntry);
  return { entries, next: rows.length > limit ? (entries.at(-1)?.id ?? null) : null };
}

// Helpers

/** Prefix of a user in `who`. */
const PERSON_PREFIX = 'user ';

/** Closed sets hold what `writeAudit` wrote. */
interface AuditRow extends Omit<ListedAuditEntry, 'subject'> {
  readonly subject: StoredSubject | null;
}

function toEntry({ subject, ...entry }: AuditRow): ListedAuditEntry {
  return { ...entry, subject: subject === null ? null : { mode: null, isDeleted: false, ...subject } };
}

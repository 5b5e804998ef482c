import type { Generated } from 'kysely';
import type { Json, Moment } from './columns.ts';

/** Audit log of security-relevant changes. Append-only. */
export interface AuditEntryTable {
  id: Generated<number>;
  /** Null for actions of operators that concern no merchant. */
  merchant_id: string | null;
  /** The person or program, if known. */
  who: string;
  /** Noun and past tense, like `api_key.revoked`. */
  what: string;
  /** Id of the object that was changed. */
  subject_id: string;
  /** Never a secret. */
  details: Json<Readonly<Record<string, unknown>>>;
  occurred_at: Moment;
}

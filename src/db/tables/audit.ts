import type { Generated } from 'kysely';
import type { Json, Moment } from './columns.ts';

/** Somebody changed something that matters to the safety of an account. Rows are only ever added. */
export interface AuditEntryTable {
  id: Generated<number>;
  /** Null for what concerns those who run the service. */
  merchant_id: string | null;
  /** A person or program, as far as it is known. */
  who: string;
  /** Noun and past tense, like `api_key.revoked`. */
  what: string;
  /** Id of what it was done to. */
  subject_id: string;
  /** Never a secret. */
  details: Json<Readonly<Record<string, unknown>>>;
  occurred_at: Moment;
}

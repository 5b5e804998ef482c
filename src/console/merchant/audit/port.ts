import type { AuditList, AuditSubjectKind } from '../../contract/audit.ts';
import type { Member } from '../member.ts';

/** What the console asks of the audit of a merchant. */
export interface AuditDesk {
  list(member: Member, query: AuditPageQuery): Promise<AuditList>;
}

export interface AuditPageQuery {
  readonly what: AuditSubjectKind | null;
  /** At this moment (Unix ms) or later. */
  readonly from: number | null;
  /** Id of the last entry of the page before. */
  readonly before: number | null;
  readonly limit: number;
}

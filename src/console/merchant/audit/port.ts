import type { AuditList, AuditSubjectKind } from '../../contract/audit.ts';
import type { Member } from '../member.ts';

/** The audit log of a merchant. */
export interface AuditDesk {
  list(member: Member, query: AuditPageQuery): Promise<AuditList>;
}

export interface AuditPageQuery {
  readonly what: AuditSubjectKind | null;
  /** At this time (Unix ms) or later. */
  readonly from: number | null;
  /** Id of the last entry of the previous page. */
  readonly before: number | null;
  readonly limit: number;
}

import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { AuditList, AuditSubjectKind } from '../../http/console/merchant/audit/schemas.ts';
import { nextCursor, readPages } from './queries.ts';

const ENTRIES_PER_PAGE = 100;

export function useAudit(filter: { readonly what: AuditSubjectKind | undefined; readonly from: number | undefined }) {
  return useInfiniteQuery({
    ...readPages<AuditList>('/merchant/audit', { ...filter, limit: ENTRIES_PER_PAGE }, nextCursor),
    placeholderData: keepPreviousData,
  });
}

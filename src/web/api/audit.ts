import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { AuditList, AuditSubjectKind } from '../../http/console/merchant/audit/schemas.ts';
import { merchantKey, readMerchantData } from './merchant-data.ts';

const ENTRIES_PER_PAGE = 100;

/** The audit log of the merchant, newest first. */
export function useAudit(filter: { readonly what: AuditSubjectKind | undefined; readonly from: number | undefined }) {
  return useInfiniteQuery({
    queryKey: merchantKey('audit', filter),
    queryFn: ({ pageParam, signal }) =>
      readMerchantData<AuditList>(
        '/audit',
        { ...filter, cursor: pageParam ?? undefined, limit: ENTRIES_PER_PAGE },
        signal,
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.cursor,
    placeholderData: keepPreviousData,
  });
}

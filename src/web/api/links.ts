import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import type { LinkInfo, LinkPage, NewLinkBody } from '../../http/console/merchant/links/schemas.ts';
import { useMode } from '../routing/router.ts';
import { changeMerchantData, inMode, merchantKey, readMerchantData, refreshMerchantData } from './merchant-data.ts';

/** The payment links of the current mode, newest first. */
export function useLinks() {
  const mode = useMode();
  return useInfiniteQuery({
    queryKey: merchantKey('links', mode),
    queryFn: ({ pageParam, signal }) =>
      readMerchantData<LinkPage>('/links', inMode(mode, { cursor: pageParam ?? undefined }), signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.cursor,
  });
}

export function useCreateLink() {
  return useMutation({
    mutationFn: (body: NewLinkBody) => changeMerchantData<LinkInfo>('POST', '/links', body),
    onSettled: () => refreshMerchantData('links'),
  });
}

export function useCloseLink() {
  const mode = useMode();
  return useMutation({
    mutationFn: (slug: string) =>
      changeMerchantData<LinkInfo>('POST', `/links/${encodeURIComponent(slug)}/close`, { mode }),
    onSettled: () => refreshMerchantData('links'),
  });
}

/** Coins that can be paid with in the current mode; empty until fetched. */
export function usePayableCoins(): readonly string[] {
  return useLinks().data?.pages[0]?.coins ?? [];
}

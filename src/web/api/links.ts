import { useInfiniteQuery } from '@tanstack/react-query';
import type { LinkInfo, LinkPage, NewLinkBody } from '../../http/console/merchant/links/schemas.ts';
import { useMode } from '../routing/router.ts';
import { nextCursor, readPages, useChange } from './queries.ts';
import { request } from './request.ts';

const LINKS = '/merchant/links';

/** The payment links of the current mode, newest first. */
export function useLinks() {
  return useInfiniteQuery(readPages<LinkPage>(LINKS, { mode: useMode() }, nextCursor));
}

export function useCreateLink() {
  return useChange((body: NewLinkBody) => request<LinkInfo>('POST', LINKS, body), [LINKS]);
}

export function useCloseLink() {
  const mode = useMode();
  return useChange(
    (slug: string) => request<LinkInfo>('POST', `${LINKS}/${encodeURIComponent(slug)}/close`, { mode }),
    [LINKS],
  );
}

/** Coins that can be paid with in the current mode; empty until fetched. */
export function usePayableCoins(): readonly string[] {
  return useLinks().data?.pages[0]?.coins ?? [];
}

import { useInfiniteQuery } from '@tanstack/react-query';
import type { PaymentFilter, PaymentPage } from '../../http/console/merchant/payments/schemas.ts';
import type { Mode } from '../../http/console/merchant/schemas.ts';
import { queryText } from '../routing/paths.ts';
import { useMode } from '../routing/router.ts';
import { queryClient } from './client.ts';
import { nextCursor, readPages } from './queries.ts';
import { API } from './request.ts';

/** The server's maximum. */
const PAYMENTS_PER_PAGE = 200;
/** A longer list is not fetched again page by page whenever a payment changes. */
const MAX_RENEWED_PAGES = 3;

/** Matching payments, newest first, page by page. */
export function usePayments(filter: PaymentFilter) {
  const mode = useMode();
  const list = readPages<PaymentPage>('/merchant/payments', { mode, ...filter, limit: PAYMENTS_PER_PAGE }, nextCursor);
  const query = useInfiniteQuery({
    ...list,
    // Keep the previous list until the next is loaded, but never show amounts of one mode in the
    // other.
    placeholderData: (before, query) => (query?.queryKey[0].includes(`mode=${mode}`) === true ? before : undefined),
    enabled: ({ state }) => (state.data?.pages.length ?? 0) <= MAX_RENEWED_PAGES,
  });
  return {
    ...query,
    /** Too long to be refreshed automatically. */
    isFrozen: (query.data?.pages.length ?? 0) > MAX_RENEWED_PAGES,
    /** Starts again with the newest payments. */
    startAnew: () => void queryClient.resetQueries({ queryKey: list.queryKey }),
  };
}

/** The URL of all matching payments as a file. */
export function paymentsFileHref(mode: Mode, filter: PaymentFilter): string {
  return `${API}/merchant/payments.csv${queryText({ mode, ...filter })}`;
}

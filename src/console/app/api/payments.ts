import { useInfiniteQuery } from '@tanstack/react-query';
import type { Mode } from '../../contract/desk.ts';
import type { PaymentFilter, PaymentPage } from '../../contract/payments.ts';
import { queryText } from '../routing/paths.ts';
import { useMode } from '../routing/router.ts';
import { queryClient } from './client.ts';
import { deskKey, inMode, readDesk } from './desk.ts';
import { API } from './request.ts';

/** As many as the server gives at once. */
const PAYMENTS_PER_PAGE = 200;
/** A list that is longer than this is not asked for anew, page by page, whenever a payment moves on. */
const MOST_RENEWED_PAGES = 3;

/** The payments that match, newest first, a page at a time. */
export function usePayments(filter: PaymentFilter) {
  const mode = useMode();
  const queryKey = deskKey('payments', mode, 'list', filter);
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      readDesk<PaymentPage>(
        '/payments',
        inMode(mode, { ...filter, cursor: pageParam ?? undefined, limit: PAYMENTS_PER_PAGE }),
        signal,
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.cursor,
    // What was listed stays until the next is there, but never money of one mode in the other.
    placeholderData: (before, query) => (query?.queryKey.includes(mode) === true ? before : undefined),
    enabled: ({ state }) => (state.data?.pages.length ?? 0) <= MOST_RENEWED_PAGES,
  });
  return {
    ...query,
    /** So long that it is not renewed by itself. */
    isFrozen: (query.data?.pages.length ?? 0) > MOST_RENEWED_PAGES,
    /** Begins again with the newest. */
    startAnew: () => void queryClient.resetQueries({ queryKey }),
  };
}

/** Where the browser gets all payments that match as a file. */
export function paymentsFileHref(mode: Mode, filter: PaymentFilter): string {
  return `${API}/merchant/payments.csv${queryText(inMode(mode, { ...filter }))}`;
}

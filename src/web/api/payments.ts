import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type {
  DecisionBody,
  PaymentInfo,
  SearchBody,
  SimulationBody,
} from '../../http/console/merchant/payment/schemas.ts';
import type { PaymentFilter, PaymentPage } from '../../http/console/merchant/payments/schemas.ts';
import type { Mode } from '../../http/console/merchant/schemas.ts';
import { queryText } from '../routing/paths.ts';
import { useMode } from '../routing/router.ts';
import { queryClient } from './client.ts';
import { nextCursor, read, readPages, useChange } from './queries.ts';
import { API, request } from './request.ts';

/** The pages that show a payment. */
const SHOW_PAYMENTS = ['/merchant/payments', '/merchant/attention', '/merchant/overview'];

/** All details of one payment of either mode. */
export function usePayment(id: string) {
  return useQuery(read<PaymentInfo>(paymentPath(id)));
}

export function useDecide(id: string) {
  return useChange(
    (body: DecisionBody) => request<PaymentInfo>('POST', `${paymentPath(id)}/decisions`, body),
    SHOW_PAYMENTS,
    { onSuccess: show },
  );
}

/** Searches the network for a transaction; the result may appear only after the response. */
export function useSearchTransaction(id: string) {
  return useChange(
    (body: SearchBody) => request<PaymentInfo>('POST', `${paymentPath(id)}/search`, body),
    [...SHOW_PAYMENTS, '/merchant/audit'],
    { onSuccess: show },
  );
}

export function useSimulate(id: string) {
  return useChange(
    (body: SimulationBody) => request<PaymentInfo>('POST', `${paymentPath(id)}/simulate`, body),
    SHOW_PAYMENTS,
    { onSuccess: show },
  );
}

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

// Helpers

function paymentPath(id: string): string {
  return `/merchant/payments/${encodeURIComponent(id)}`;
}

function show(payment: PaymentInfo): void {
  queryClient.setQueryData([paymentPath(payment.id)], payment);
}

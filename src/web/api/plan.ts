import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type {
  InvoiceList,
  PlanCheckout,
  PlanCheckoutBody,
  PlanInfo,
} from '../../http/console/merchant/plan/schemas.ts';
import { useMode } from '../routing/router.ts';
import { read, readPages, useChange } from './queries.ts';
import { request } from './request.ts';

const INVOICES_PER_PAGE = 50;

/** The current plan, its usage, and the plans on sale. */
export function usePlan() {
  return useQuery(read<PlanInfo>('/merchant/plan', { mode: useMode() }));
}

export function useInvoices() {
  const query = { mode: useMode(), limit: INVOICES_PER_PAGE };
  return useInfiniteQuery(
    readPages<InvoiceList>('/merchant/plan/invoices', query, (last, pages) => {
      const offset = pages.reduce((sum, { invoices }) => sum + invoices.length, 0);
      return last.invoices.length === 0 || offset >= last.total ? null : { offset };
    }),
  );
}

export function useCheckout() {
  return useChange(
    (body: PlanCheckoutBody) => request<PlanCheckout>('POST', '/merchant/plan/checkout', body),
    ['/merchant/plan'],
  );
}

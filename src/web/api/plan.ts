import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import type {
  InvoiceList,
  PlanCheckout,
  PlanCheckoutBody,
  PlanInfo,
} from '../../http/console/merchant/plan/schemas.ts';
import { useMode } from '../routing/router.ts';
import { changeMerchantData, inMode, merchantKey, readMerchantData, refreshMerchantData } from './merchant-data.ts';

const INVOICES_PER_PAGE = 50;

/** The current plan, its usage, and the plans on sale. */
export function usePlan() {
  const mode = useMode();
  return useQuery({
    queryKey: merchantKey('plan', mode),
    queryFn: ({ signal }) => readMerchantData<PlanInfo>('/plan', inMode(mode), signal),
  });
}

export function useInvoices() {
  const mode = useMode();
  return useInfiniteQuery({
    queryKey: merchantKey('plan', mode, 'invoices'),
    queryFn: ({ pageParam, signal }) =>
      readMerchantData<InvoiceList>(
        '/plan/invoices',
        inMode(mode, { offset: pageParam, limit: INVOICES_PER_PAGE }),
        signal,
      ),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const shown = pages.reduce((sum, { invoices }) => sum + invoices.length, 0);
      return last.invoices.length === 0 || shown >= last.total ? null : shown;
    },
  });
}

/** Starts the payment of a plan. */
export function useCheckout() {
  return useMutation({
    mutationFn: (body: PlanCheckoutBody) => changeMerchantData<PlanCheckout>('POST', '/plan/checkout', body),
    onSettled: () => refreshMerchantData('plan'),
  });
}

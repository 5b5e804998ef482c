import { useMutation, useQuery } from '@tanstack/react-query';
import type {
  DecisionBody,
  PaymentInfo,
  SearchBody,
  SimulationBody,
} from '../../http/console/merchant/payment/schemas.ts';
import { queryClient } from './client.ts';
import { changeMerchantData, merchantKey, readMerchantData, refreshMerchantData } from './merchant-data.ts';

/** All details of one payment of either mode. */
export function usePayment(id: string) {
  return useQuery({
    queryKey: keyOf(id),
    queryFn: ({ signal }) => readMerchantData<PaymentInfo>(pathOf(id), {}, signal),
  });
}

/** Sends a decision about a payment. */
export function useDecide(id: string) {
  return useMutation({
    mutationFn: (body: DecisionBody) => changeMerchantData<PaymentInfo>('POST', `${pathOf(id)}/decisions`, body),
    onSuccess: show,
    // Also after an error: another user decided first.
    onSettled: () => refreshMerchantData('payments', 'attention', 'overview'),
  });
}

/** Has the network searched for a transaction; what it finds may appear only after the response. */
export function useSearchTransaction(id: string) {
  return useMutation({
    mutationFn: (body: SearchBody) => changeMerchantData<PaymentInfo>('POST', `${pathOf(id)}/search`, body),
    onSuccess: show,
    onSettled: () => refreshMerchantData('payments', 'attention', 'overview', 'audit'),
  });
}

/** Simulates an event of a test payment. */
export function useSimulate(id: string) {
  return useMutation({
    mutationFn: (body: SimulationBody) => changeMerchantData<PaymentInfo>('POST', `${pathOf(id)}/simulate`, body),
    onSuccess: show,
    onSettled: () => refreshMerchantData('payments', 'attention', 'overview'),
  });
}

// Helpers

function keyOf(id: string): readonly unknown[] {
  return merchantKey('payments', 'one', id);
}

function pathOf(id: string): string {
  return `/payments/${encodeURIComponent(id)}`;
}

function show(payment: PaymentInfo): void {
  queryClient.setQueryData(keyOf(payment.id), payment);
}

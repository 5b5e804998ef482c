import { useQuery } from '@tanstack/react-query';
import type {
  DecisionBody,
  PaymentInfo,
  SearchBody,
  SimulationBody,
} from '../../http/console/merchant/payment/schemas.ts';
import { queryClient } from './client.ts';
import { read, useChange } from './queries.ts';
import { request } from './request.ts';

/** The pages that show a payment. */
const SHOW_PAYMENTS = ['/merchant/payments', '/merchant/attention', '/merchant/overview'];

/** All details of one payment of either mode. */
export function usePayment(id: string) {
  return useQuery(read<PaymentInfo>(pathOf(id)));
}

export function useDecide(id: string) {
  return useChange(
    (body: DecisionBody) => request<PaymentInfo>('POST', `${pathOf(id)}/decisions`, body),
    SHOW_PAYMENTS,
    { onSuccess: show },
  );
}

/** Searches the network for a transaction; the result may appear only after the response. */
export function useSearchTransaction(id: string) {
  return useChange(
    (body: SearchBody) => request<PaymentInfo>('POST', `${pathOf(id)}/search`, body),
    [...SHOW_PAYMENTS, '/merchant/audit'],
    { onSuccess: show },
  );
}

export function useSimulate(id: string) {
  return useChange(
    (body: SimulationBody) => request<PaymentInfo>('POST', `${pathOf(id)}/simulate`, body),
    SHOW_PAYMENTS,
    { onSuccess: show },
  );
}

// Helpers

function pathOf(id: string): string {
  return `/merchant/payments/${encodeURIComponent(id)}`;
}

function show(payment: PaymentInfo): void {
  queryClient.setQueryData([pathOf(payment.id)], payment);
}

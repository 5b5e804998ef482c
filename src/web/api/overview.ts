import { useMutation, useQuery } from '@tanstack/react-query';
import type { Overview, StartedPayment, TestPaymentBody } from '../../http/console/merchant/overview/schemas.ts';
import { useMode } from '../routing/router.ts';
import {
  type AsText,
  changeMerchantData,
  inMode,
  merchantKey,
  readMerchantData,
  refreshMerchantData,
} from './merchant-data.ts';

/** The merchant's overview in the current mode. */
export function useOverview() {
  const mode = useMode();
  return useQuery({
    queryKey: merchantKey('overview', mode),
    queryFn: ({ signal }) => readMerchantData<Overview>('/overview', inMode(mode), signal),
  });
}

export function useStartTestPayment() {
  return useMutation({
    mutationFn: (body: AsText<TestPaymentBody, 'crypto' | 'currency'>) =>
      changeMerchantData<StartedPayment>('POST', '/overview/test-payment', body),
    onSuccess: () => refreshMerchantData('overview', 'payments'),
  });
}

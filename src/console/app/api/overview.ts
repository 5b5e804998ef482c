import { useMutation, useQuery } from '@tanstack/react-query';
import type { Overview, StartedPayment, TestPaymentBody } from '../../merchant/overview/schemas.ts';
import { useMode } from '../routing/router.ts';
import { type AsText, changeDesk, deskKey, inMode, readDesk, refreshDesk } from './desk.ts';

/** The merchant's overview in the current mode. */
export function useOverview() {
  const mode = useMode();
  return useQuery({
    queryKey: deskKey('overview', mode),
    queryFn: ({ signal }) => readDesk<Overview>('/overview', inMode(mode), signal),
  });
}

export function useStartTestPayment() {
  return useMutation({
    mutationFn: (body: AsText<TestPaymentBody, 'crypto' | 'currency'>) =>
      changeDesk<StartedPayment>('POST', '/overview/test-payment', body),
    onSuccess: () => refreshDesk('overview', 'payments'),
  });
}

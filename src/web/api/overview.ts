import { useQuery } from '@tanstack/react-query';
import type { Overview, StartedPayment, TestPaymentBody } from '../../http/console/merchant/overview/schemas.ts';
import { useMode } from '../routing/router.ts';
import { read, useChange } from './queries.ts';
import { type AsText, request } from './request.ts';

export function useOverview() {
  return useQuery(read<Overview>('/merchant/overview', { mode: useMode() }));
}

export function useStartTestPayment() {
  return useChange(
    (body: AsText<TestPaymentBody, 'crypto' | 'currency'>) =>
      request<StartedPayment>('POST', '/merchant/overview/test-payment', body),
    ['/merchant/overview', '/merchant/payments'],
  );
}

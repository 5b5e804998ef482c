import type { ApiResponse } from '../support/service/app.ts';

/** A merchant's default request, for tests where the values do not matter. */
export const MONTHLY = {
  amount: 25,
  currency_fiat: 'EUR',
  interval: 'monthly',
  description: 'Coffee every month',
  customer_email: 'customer@example.com',
} as const;

/** Status and code of an error response. */
export function errorOf({ status, body }: ApiResponse<unknown>): readonly [number, unknown] {
  return [status, (body as { error?: unknown }).error];
}

import type { ApiAnswer } from '../support/app.ts';

/** What a merchant asks for when nothing else matters. */
export const MONTHLY = {
  amount: 25,
  currency_fiat: 'EUR',
  interval: 'monthly',
  description: 'Coffee every month',
  customer_email: 'customer@example.com',
} as const;

/** Status and code of a refusal. */
export function errorOf({ status, body }: ApiAnswer<unknown>): readonly [number, unknown] {
  return [status, (body as { error?: unknown }).error];
}

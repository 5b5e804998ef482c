import { type CustomerView, getCustomerView } from '../../../src/payments/index.ts';
import type { TestApp } from './app.ts';

/** What the payment page of a transaction has to show. Tokens have no contract here. */
export async function shownToCustomer(
  { connection: { db } }: Pick<TestApp, 'connection'>,
  id: string,
): Promise<CustomerView> {
  const shown = await getCustomerView(
    {
      db,
      publicUrl: 'https://pay.example.com',
      sendsMails: false,
      networks: { contractOf: () => null },
      overview: { isPayable: async () => true },
    },
    id,
  );
  if (shown === null) throw new Error(`there is no transaction ${id}`);
  return shown;
}

import { ApiError, createClient } from 'quittance/client';

const { QUITTANCE_URL, QUITTANCE_KEY = '' } = process.env;
const client = createClient({ baseUrl: `${QUITTANCE_URL}/v1`, apiKey: QUITTANCE_KEY });

try {
  const transaction = await client.create(
    { crypto: 'LTC', amount: 25, currency_fiat: 'EUR', metadata: { order: '1042' } },
    { idempotencyKey: 'order-1042' },
  );
  console.log(JSON.stringify(transaction));
} catch (error) {
  if (!(error instanceof ApiError)) throw error;
  console.error(error.code, error.message, error.details, error.requestId);
  process.exitCode = 1;
}

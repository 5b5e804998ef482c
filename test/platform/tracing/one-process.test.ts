import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { waitFor } from '../../../demo/wait.ts';
import { type OtlpReceiver, startOtlpReceiver } from '../../support/outside/otlp-receiver.ts';
import { type Receiver, startReceiver } from '../../support/outside/receiver.ts';
import { createTestService, type RunningService } from '../../support/service/service.ts';

let collector: OtlpReceiver;
let receiver: Receiver;
let service: RunningService;
let key: string;

/** In-process bus; the collector misbehaves while payments are made. */
describe('tracing in one process', () => {
  beforeAll(async () => {
    [collector, receiver] = await Promise.all([startOtlpReceiver(), startReceiver()]);
    service = await createTestService({
      isQuickOnPostgres: true,
      env: {
        LTC_NETWORK: 'regtest',
        LTC_RPC_URL: 'http://127.0.0.1:1/',
        TRACES_URL: collector.url,
        WEBHOOK_ALLOW_HTTP: 'true',
        WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
      },
      provisioning: {
        merchants: [
          {
            name: 'Corner shop',
            email: 'owner@shop.example',
            plan: 'enterprise',
            webhooks: [{ url: receiver.url, events: ['payment.created'] }],
          },
        ],
      },
    });
    await service.start();
    key = (await service.secrets())[0]?.keys?.sk_test ?? '';
  }, 60_000);
  afterAll(async () => {
    await service?.remove();
    await collector?.close();
    await receiver?.close();
  });

  async function createPayment(): Promise<string> {
    const before = receiver.requests.length;
    const response = await fetch(`${service.url}/v1/transactions/create`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'x-idempotency-key': randomUUID(),
      },
      body: JSON.stringify({ crypto: 'LTC', amount: 25 }),
    });
    expect(response.status).toBe(201);
    await waitFor(
      async () => (receiver.requests.length > before ? true : null),
      () => 'no webhook arrived',
    );
    return response.headers.get('x-request-id') ?? '';
  }

  test('payments and webhooks continue while the collector refuses, and while it hangs', async () => {
    collector.usually('refuse');
    await createPayment();
    await waitFor(
      async () => (collector.requests > 0 ? true : null),
      () => 'no spans were sent',
    );
    collector.usually('hang');
    await createPayment();
  });

  test('a request is one trace up to its webhook, over the in-process bus', async () => {
    collector.usually('take');
    const requestId = await createPayment();
    const attempt = await waitFor(
      async () => {
        const request = collector.spans.find(({ attributes }) => attributes['quittance.request.id'] === requestId);
        const isOfIt = ({ traceId, name }: { traceId: string; name: string }) =>
          traceId === request?.traceId && name === 'webhook attempt';
        return collector.spans.find(isOfIt) ?? null;
      },
      () => `no webhook attempt was among ${collector.spans.map(({ name }) => name).join(', ')}`,
    );
    expect(attempt.attributes).toMatchObject({ 'http.response.status_code': 200, 'quittance.attempt': 1 });
    expect(collector.spans.find(({ name }) => name === 'publish webhook-send')?.attributes).toMatchObject({
      'messaging.system': 'quittance',
    });
  });

  test('a health check creates no trace', async () => {
    await fetch(`${service.url}/v1/health`);
    await createPayment();
    await service.stop();
    expect(collector.spans.filter(({ name }) => name.includes('/health'))).toEqual([]);
    expect(collector.spans.filter(({ name }) => name === 'POST /v1/transactions/create').length).toBeGreaterThan(0);
  });
});

import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { DAY_MS } from '../../machines/index.ts';
import { createSecretBox } from '../../src/platform/secrets/index.ts';
import { useApp } from '../http/api/support.ts';
import { describeDatabases } from '../support/database/test-database.ts';
import { type ReceivedWebhook, type Receiver, startReceiver } from '../support/outside/receiver.ts';
import { POLLING } from '../support/polling.ts';
import { addEndpoint, LOOPBACK, TEST_KEY } from '../webhooks/harness.ts';
import { RECURRING } from './tables/recurring.ts';
import { RECURRING_EVENTS, recurringEvent, STOP_REASONS } from './tables/webhook.ts';
import { type KnownEndpoint, walkDelivery } from './walk-delivery.ts';

/** The fields that the tests check beyond the table. */
interface RecurringEvent {
  readonly event: string;
  readonly schedule_id: string;
  readonly sequence: number;
  readonly status: string;
}

/**
 * Scenarios of a request, and all its events in order. Together they cover every event and reason.
 */
interface Story {
  readonly name: string;
  readonly reference?: string;
  readonly steps: readonly ('confirm' | 'stop' | 'bounce' | 'pay' | 'a week' | 'cancel')[];
  readonly sent: readonly Readonly<Record<string, unknown>>[];
}

const CONFIRMED = { event: 'recurring.confirmed', status: 'active' };
const stopped = (status: string, reason: string) => ({ event: 'recurring.stopped', status, reason });

const STORIES: readonly Story[] = [
  { name: 'cancelled by the merchant', steps: ['confirm', 'cancel'], sent: [CONFIRMED] },
  {
    name: 'paid, then not paid, then stopped',
    reference: 'member 77',
    steps: ['confirm', 'pay', 'a week', 'a week', 'stop'],
    sent: [
      CONFIRMED,
      { event: 'recurring.payment.completed', status: 'active', period_no: 1, transaction_id: /^txn_/ },
      { event: 'recurring.payment.unpaid', status: 'active', period_no: 2 },
      stopped('stopped_by_customer', 'stopped_by_customer'),
    ],
  },
  {
    name: 'paid after its time',
    steps: ['confirm', 'a week', 'pay', 'cancel'],
    sent: [
      CONFIRMED,
      { event: 'recurring.payment.unpaid', status: 'active', period_no: 1 },
      { event: 'recurring.payment.completed', status: 'active', period_no: 1, transaction_id: /^txn_/ },
    ],
  },
  { name: 'never confirmed', steps: ['a week'], sent: [stopped('expired_unconfirmed', 'unconfirmed')] },
  { name: 'sent to no mailbox', steps: ['bounce'], sent: [stopped('bounced', 'bounced')] },
];

describeDatabases('the webhooks of a recurring payment request', (database) => {
  const { app, merchant } = useApp(database, { webhooks: LOOPBACK, secretBox: createSecretBox(TEST_KEY) });
  let receiver: Receiver;
  let endpoint: KnownEndpoint;

  beforeAll(async () => {
    receiver = await startReceiver();
    endpoint = await addEndpoint(database(), {
      merchantId: merchant().id,
      url: receiver.url,
      events: RECURRING_EVENTS,
    });
  });
  afterAll(() => receiver?.close());

  async function call<T>(path: string, body?: object): Promise<T> {
    const { sk_test: key } = merchant().keys;
    const method = body === undefined ? 'GET' : 'POST';
    const response = await app().call<{ data: T }>({ method, path, key, ...(body === undefined ? {} : { body }) });
    if (response.status >= 300) throw new Error(`${path} answered ${response.text}`);
    return response.body.data;
  }

  /** Pays the oldest unpaid period, as the customer would through the link. */
  async function pay(id: string): Promise<void> {
    const { periods } = await call<{ periods: { status: string; payment_url: string }[] }>(`/recurring/${id}/periods`);
    const open = periods.filter(({ status }) => status === 'awaited' || status === 'unpaid').at(-1);
    const page = await app().post(open?.payment_url ?? '', { crypto: 'LTC' });
    const [transactionId = ''] = /txn_[0-9a-z]{26}/.exec(page.location ?? '') ?? [];
    for (const action of ['pay', 'confirm']) await app().simulate(merchant().keys.sk_test, transactionId, action);
    const isPaid = async () => (await call<{ periods: { status: string }[] }>(`/recurring/${id}/periods`)).periods;
    await vi.waitFor(async () => expect((await isPaid()).at(-1)?.status).toBe('paid'), POLLING);
  }

  async function tell({ reference, steps }: Story): Promise<string> {
    const body = { ...RECURRING.createSchedule.body, interval: 'weekly', ...(reference && { reference }) };
    const { schedule_id: id } = await call<{ schedule_id: string }>('/recurring/create', body);
    let at = app().clock.now();
    for (const step of steps) {
      if (step === 'pay') await pay(id);
      else if (step === 'cancel') await call(`/recurring/${id}/cancel`, {});
      else if (step === 'a week') {
        at += 7 * DAY_MS;
        await call(`/recurring/${id}/simulate`, { action: 'advance_clock', to: new Date(at).toISOString() });
      } else await call(`/recurring/${id}/simulate`, { action: step });
    }
    return id;
  }

  test.each(STORIES)('that was $name', async (scenario) => {
    const id = await tell(scenario);
    const about = () => receiver.requests.filter((request) => eventIn(request).schedule_id === id);
    await vi.waitFor(() => expect(about()).toHaveLength(scenario.sent.length), POLLING);
    const deliveries = about().sort((one, other) => eventIn(one).sequence - eventIn(other).sequence);
    expect(deliveries.map(eventIn)).toMatchObject(scenario.sent.map(asExpected));
    expect(deliveries.map((each) => eventIn(each).sequence)).toEqual(scenario.sent.map((_, index) => index + 1));
    for (const delivery of deliveries) {
      const table = recurringEvent(eventIn(delivery).event, scenario.reference !== undefined);
      expect(walkDelivery(delivery, endpoint, table)).toEqual([]);
    }
  });
});

test('every recurring event, and every reason, occurs in some scenario', () => {
  const sent = STORIES.flatMap((scenario) => scenario.sent);
  expect(new Set(sent.map(({ event }) => event))).toEqual(new Set(RECURRING_EVENTS));
  expect(new Set(sent.flatMap(({ reason }) => reason ?? []))).toEqual(new Set(STOP_REASONS));
});

// Helpers

function eventIn({ body }: ReceivedWebhook): RecurringEvent {
  const event: RecurringEvent = JSON.parse(body);
  return event;
}

function asExpected(sent: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(sent).map(([name, value]) => [
    name,
    value instanceof RegExp ? expect.stringMatching(value) : value,
  ]);
  return Object.fromEntries(entries) as Record<string, unknown>;
}

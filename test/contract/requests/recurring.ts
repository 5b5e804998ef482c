import { DAY_MS } from '../../../machines/index.ts';
import type { TestApp } from '../../support/service/app.ts';
import { type ContractHarness, sendRequest } from '../harness.ts';
import { REPLAYED } from '../tables/headers.ts';
import { RECURRING } from '../tables/recurring.ts';
import { endPlan } from './create.ts';
import { type Provocation, provocationsOf, twice, withTestKey } from './provocation.ts';

type Name = keyof typeof RECURRING;

const NAMES = Object.keys(RECURRING) as Name[];
const OF_ONE = NAMES.filter((name) => RECURRING[name].path.includes('{schedule_id}'));
const BODY = RECURRING.createSchedule.body;
/** A UUID that no schedule has. */
const NOBODY = '00000000-0000-4000-8000-000000000000';
const MAX_UNCONFIRMED = 5;

const EVERYTHING = {
  ...BODY,
  reference: 'member 77',
  currency_fiat: 'EUR',
  crypto: 'LTC',
  start_at: '2027-01-31T09:00:00Z',
  max_periods: 12,
  metadata: { hall: 'north', nested: { deep: [1, null, 'ß'] } },
  success_url: 'https://shop.example.com/thanks',
};

const of = provocationsOf;
const create = of('createSchedule');
const wrong = (change: object) => withTestKey('createSchedule', { body: { ...BODY, ...change } });

interface Ready {
  readonly key: string;
  readonly id: string;
}

/** A shop with a recurring payment request of a test key, after these simulated steps. */
async function ready({ app, newMerchant }: ContractHarness, ...steps: readonly object[]): Promise<Ready> {
  const { sk_test: key } = (await newMerchant()).keys;
  const id = await made(app, key);
  for (const body of steps) await sendRequest(app, 'simulateSchedule', { key, id, body });
  return { key, id };
}

async function made(app: TestApp, key: string): Promise<string> {
  const { body } = await sendRequest<{ readonly data: { readonly schedule_id: string } }>(app, 'createSchedule', {
    key,
  });
  return body.data.schedule_id;
}

/** The response about a merchant's own schedule. */
function ofOwn(name: Name, ...steps: readonly object[]): Provocation['send'] {
  return async (harness) => sendRequest(harness.app, name, await ready(harness, ...steps));
}

const CREATE: readonly Provocation[] = [
  create.responds(201, 'only what is required', withTestKey('createSchedule')),
  create.responds(201, 'everything there is', withTestKey('createSchedule', { body: EVERYTHING })),
  create.responds(201, 'a live key with a wallet', async ({ app, newLiveMerchant }) =>
    sendRequest(app, 'createSchedule', { key: (await newLiveMerchant()).keys.sk_live }),
  ),
  {
    ...create.responds(201, 'a retry with the same idempotency key', async ({ app, newMerchant }) => {
      const { sk_test: key } = (await newMerchant()).keys;
      return twice(() => sendRequest(app, 'createSchedule', { key, headers: { 'x-idempotency-key': 'member 77' } }));
    }),
    headers: REPLAYED,
  },
  create.fails(400, 'INVALID_REQUEST', 'no address', wrong({ customer_email: undefined })),
  create.fails(400, 'INVALID_REQUEST', 'a field that is misspelt', wrong({ intervall: 'weekly' })),
  create.fails(400, 'INVALID_CRYPTO', 'a coin there is not', wrong({ crypto: 'XMR' })),
  create.fails(400, 'INVALID_AMOUNT', 'an amount as text', wrong({ amount: '25' })),
  create.fails(400, 'AMOUNT_TOO_LOW', 'less than 1.00 USD', wrong({ amount: 0.99 })),
  create.fails(400, 'INVALID_CURRENCY', 'a currency there is not', wrong({ currency_fiat: 'JPY' })),
  create.fails(400, 'INVALID_METADATA', 'metadata that is no object', wrong({ metadata: [] })),
  create.fails(400, 'WALLET_NOT_CONFIGURED', 'a live key without a wallet', async ({ app, newMerchant }) =>
    sendRequest(app, 'createSchedule', { key: (await newMerchant()).keys.sk_live }),
  ),
  create.fails(403, 'NO_ACTIVE_PLAN', 'a plan that ended a month ago', async (harness) => {
    const shop = await harness.newMerchant();
    await endPlan(harness, shop);
    return sendRequest(harness.app, 'createSchedule', { key: shop.keys.sk_test });
  }),
  create.fails(
    403,
    'MERCHANT_NOT_APPROVED',
    'a live key of a merchant that signed up',
    async ({ app, newLiveMerchant }) => {
      const { id, keys } = await newLiveMerchant();
      const approval_pending_since = new Date(app.clock.now());
      await app.connection.db.updateTable('merchant').set({ approval_pending_since }).where('id', '=', id).execute();
      return sendRequest(app, 'createSchedule', { key: keys.sk_live });
    },
  ),
  create.fails(409, 'IDEMPOTENCY_CONFLICT', 'a key that was used for another amount', async ({ app, newMerchant }) => {
    const common = { key: (await newMerchant()).keys.sk_test, headers: { 'x-idempotency-key': 'member 77' } };
    await sendRequest(app, 'createSchedule', common);
    return sendRequest(app, 'createSchedule', { ...common, body: { ...BODY, amount: 26 } });
  }),
  create.fails(429, 'RECIPIENT_LIMIT_REACHED', 'an address that did not answer', async ({ app, newLiveMerchant }) => {
    const { sk_live: key } = (await newLiveMerchant()).keys;
    const body = { ...BODY, customer_email: 'silent@example.com' };
    for (let nth = 0; nth < MAX_UNCONFIRMED; nth += 1) await sendRequest(app, 'createSchedule', { key, body });
    return sendRequest(app, 'createSchedule', { key, body });
  }),
  create.fails(500, 'RATE_FETCH_FAILED', 'a currency without a live rate', async ({ rateless, newLiveMerchant }) =>
    sendRequest(rateless, 'createSchedule', {
      key: (await newLiveMerchant()).keys.sk_live,
      body: { ...BODY, currency_fiat: 'EUR' },
    }),
  ),
];

const READ: readonly Provocation[] = [
  ...Object.entries<readonly object[]>({
    'waits for its confirmation': [],
    'is active': [{ action: 'confirm' }],
    'was stopped': [{ action: 'confirm' }, { action: 'stop' }],
    'has bounced': [{ action: 'bounce' }],
  }).map(([what, steps]) => of('getSchedule').responds(200, `one that ${what}`, ofOwn('getSchedule', ...steps))),
  of('listSchedules').responds(200, 'nothing', withTestKey('listSchedules')),
  of('listSchedules').responds(200, 'some', async (harness) => {
    const { key } = await ready(harness, { action: 'confirm' });
    await made(harness.app, key);
    return sendRequest(harness.app, 'listSchedules', { key });
  }),
  of('listSchedules').fails(400, 'INVALID_REQUEST', 'no status', withTestKey('listSchedules', { query: 'status=on' })),
  of('listSchedulePeriods').responds(200, 'none yet', ofOwn('listSchedulePeriods')),
  of('listSchedulePeriods').responds(200, 'one that is not paid and one that is awaited', async (harness) => {
    const later = new Date(harness.app.clock.now() + 40 * DAY_MS).toISOString();
    return sendRequest(
      harness.app,
      'listSchedulePeriods',
      await ready(harness, { action: 'confirm' }, { action: 'advance_clock', to: later }),
    );
  }),
  of('listSchedulePeriods').fails(400, 'INVALID_REQUEST', 'a page of none', async (harness) =>
    sendRequest(harness.app, 'listSchedulePeriods', { ...(await ready(harness)), query: 'limit=0' }),
  ),
];

const DECIDED: readonly Provocation[] = [
  of('pauseSchedule').responds(200, 'an active one', ofOwn('pauseSchedule', { action: 'confirm' })),
  of('resumeSchedule').responds(200, 'a paused one', async (harness) => {
    const one = await ready(harness, { action: 'confirm' });
    await sendRequest(harness.app, 'pauseSchedule', one);
    return sendRequest(harness.app, 'resumeSchedule', one);
  }),
  of('cancelSchedule').responds(200, 'one that waits for its confirmation', ofOwn('cancelSchedule')),
  of('resendScheduleConfirmation').responds(200, 'the same', ofOwn('resendScheduleConfirmation')),
  of('resendScheduleConfirmation').fails(
    429,
    'RECIPIENT_LIMIT_REACHED',
    'an address that got ten mails',
    async ({ app, newLiveMerchant }) => {
      const body = { ...BODY, customer_email: 'ten@example.com' };
      const send = async (times: number) => {
        const { sk_live: key } = (await newLiveMerchant()).keys;
        const response = await sendRequest<{ data: { schedule_id: string } }>(app, 'createSchedule', { key, body });
        const one = { key, id: response.body.data.schedule_id };
        for (let nth = 1; nth < times; nth += 1) await sendRequest(app, 'resendScheduleConfirmation', one);
        return one;
      };
      await send(5);
      await send(4);
      return sendRequest(app, 'resendScheduleConfirmation', await send(1));
    },
  ),
  ...(['pauseSchedule', 'resumeSchedule', 'cancelSchedule', 'resendScheduleConfirmation'] as const).flatMap((name) => [
    of(name).fails(400, 'INVALID_REQUEST', 'a field', async (harness) =>
      sendRequest(harness.app, name, { ...(await ready(harness)), body: { reason: 'none' } }),
    ),
    of(name).fails(409, 'INVALID_STATE', 'one that has ended', ofOwn(name, { action: 'stop' })),
  ]),
];

const SIMULATED: readonly Provocation[] = [
  of('simulateSchedule').responds(200, 'a customer who confirms', ofOwn('simulateSchedule')),
  of('simulateSchedule').responds(200, 'a week that goes by', async (harness) => {
    const body = { action: 'advance_clock', to: new Date(harness.app.clock.now() + 7 * DAY_MS).toISOString() };
    return sendRequest(harness.app, 'simulateSchedule', { ...(await ready(harness)), body });
  }),
  of('simulateSchedule').fails(400, 'INVALID_REQUEST', 'a time for a customer', async (harness) =>
    sendRequest(harness.app, 'simulateSchedule', {
      ...(await ready(harness)),
      body: { action: 'confirm', seconds: 60 },
    }),
  ),
  of('simulateSchedule').fails(403, 'FORBIDDEN', 'a live key', async ({ app, newMerchant }) =>
    sendRequest(app, 'simulateSchedule', { key: (await newMerchant()).keys.sk_live, id: NOBODY }),
  ),
  of('simulateSchedule').fails(
    409,
    'INVALID_STATE',
    'one that has ended',
    ofOwn('simulateSchedule', { action: 'stop' }),
  ),
];

/** Recurring payment requests. */
export const RECURRING_REQUESTS: readonly Provocation[] = [
  ...CREATE,
  ...READ,
  ...DECIDED,
  ...SIMULATED,
  ...OF_ONE.flatMap((name) => [
    of(name).fails(404, 'SCHEDULE_NOT_FOUND', 'an id that none has', withTestKey(name, { id: NOBODY })),
    of(name).fails(404, 'SCHEDULE_NOT_FOUND', 'an id that is none', withTestKey(name, { id: 'schedule-1' })),
    of(name).fails(404, 'SCHEDULE_NOT_FOUND', "another merchant's", async (harness) => {
      const { id } = await ready(harness);
      return sendRequest(harness.app, name, { key: (await harness.newMerchant()).keys.sk_test, id });
    }),
  ]),
];

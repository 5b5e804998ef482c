import { expect, test } from 'vitest';
import type { Mode } from '../../../../machines/index.ts';
import type {
  PeriodInfo,
  ScheduleDetail,
  ScheduleInfo,
  SchedulePage,
} from '../../../../src/http/console/merchant/recurring/schemas.ts';
import { POLLING } from '../../../support/polling.ts';
import type { ConsoleResponse, Who } from '../support/console.ts';
import { describeConsole } from '../support/describe-console.ts';

const DAY_MS = 86_400_000;
const MONTHLY = {
  mode: 'test',
  customerEmail: 'ada@customer.example',
  description: 'Coffee every month',
  amount: '24.99',
  currency: 'EUR',
  interval: 'monthly',
} as const;
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

describeConsole('the recurring requests of a merchant in the console', {}, (console) => {
  let requests = 0;

  function post(path: string, body: unknown, who: Who = 'owner'): Promise<ConsoleResponse> {
    return console.call(who, { method: 'POST', path: `/merchant/recurring${path}`, body });
  }
  function bodyWith(body: object = {}) {
    requests += 1;
    return { ...MONTHLY, requestId: `request-${requests}`, ...body };
  }
  async function create(body: object = {}): Promise<ScheduleInfo> {
    const response = await post('', bodyWith(body), 'staff');
    expect(response.status, response.text).toBe(201);
    return response.data;
  }
  async function detail(id: string): Promise<ScheduleDetail> {
    return (await console.call('owner', { path: `/merchant/recurring/${id}?mode=test` })).data;
  }
  async function periods(id: string): Promise<PeriodInfo[]> {
    return (await console.call('owner', { path: `/merchant/recurring/${id}/periods?mode=test` })).data.periods;
  }
  async function list(query: string): Promise<SchedulePage> {
    const response = await console.call('owner', { path: `/merchant/recurring?${query}` });
    expect(response.status, response.text).toBe(200);
    return response.data;
  }
  const simulate = (id: string, body: object) => post(`/${id}/simulate`, body, 'staff');
  const decide = (id: string, decision: string, mode: Mode = 'test') => post(`/${id}/${decision}`, { mode }, 'staff');

  test('of the other mode are not found', async () => {
    const { id } = await create();
    const tries: [string, Mode][] = [
      [id, 'live'],
      [UNKNOWN, 'test'],
      ["x' or true", 'test'],
    ];
    for (const [tried, mode] of tries) {
      const name = encodeURIComponent(tried);
      const responses = [
        await console.call('owner', { path: `/merchant/recurring/${name}?mode=${mode}` }),
        await console.call('owner', { path: `/merchant/recurring/${name}/periods?mode=${mode}` }),
        ...(await Promise.all(
          ['pause', 'resume', 'cancel', 'resend-confirmation'].map((decision) => decide(name, decision, mode)),
        )),
        ...(mode === 'live' ? [] : [await simulate(name, { action: 'confirm' })]),
      ];
      for (const { status, error } of responses) expect([status, error], tried).toEqual([404, 'SCHEDULE_NOT_FOUND']);
    }
    expect((await list('mode=live')).total).toBe(0);
    expect((await detail(id)).schedule).toMatchObject({ id, status: 'pending_confirmation' });
  });

  test.each(['1.29', '99999999.07'])('request the entered amount of %s, to the cent', async (amount) => {
    expect((await create({ amount, customerEmail: `c${requests}@customer.example` })).amount).toBe(amount);
  });

  test('with the same key are the same request, and with other terms rejected', async () => {
    const body = bodyWith({ reference: 'twice' });
    const [one, other] = [await post('', body), await post('', body)];
    expect([one.status, other.status]).toEqual([201, 201]);
    expect(other.data.id).toBe(one.data.id);
    const changed = await post('', { ...body, amount: '30' });
    expect([changed.status, changed.error]).toEqual([409, 'IDEMPOTENCY_CONFLICT']);
    expect((await list('mode=test&reference=twice')).total).toBe(1);
  });

  test('are listed by state and reference, page by page', async () => {
    const made: string[] = [];
    for (let index = 0; index < 52; index += 1) {
      made.push((await create({ reference: 'many', customerEmail: `m${index}@customer.example` })).id);
    }
    const first = await list('mode=test&reference=many');
    expect([first.schedules.length, first.total, first.next]).toEqual([50, 52, 50]);
    const second = await list(`mode=test&reference=many&offset=${first.next}`);
    expect(second.next).toBe(null);
    const seen = [...first.schedules, ...second.schedules].map(({ id }) => id);
    expect(new Set(seen)).toEqual(new Set(made));
    expect(seen).toHaveLength(52);
    await decide(made[0] ?? '', 'cancel');
    expect((await list('mode=test&reference=many&status=cancelled')).schedules).toMatchObject([{ id: made[0] }]);
  });

  test('are confirmed, requested, paid, paused, resumed and ended', async () => {
    const { id } = await create({ reference: 'life', maxPeriods: 12, description: 'Yoga on Mondays' });
    const requested = await detail(id);
    expect(requested.schedule.confirmBy).toBe(requested.schedule.createdAt + 7 * DAY_MS);
    expect(requested.mails).toMatchObject([{ kind: 'confirmation', periodNo: null }]);
    expect((await decide(id, 'pause')).error).toBe('INVALID_STATE');
    expect((await decide(id, 'resend-confirmation')).data.confirmationsSent).toBe(2);

    const confirmed = await simulate(id, { action: 'confirm' });
    expect(confirmed.data).toMatchObject({ status: 'active', lastPeriodNo: 1, confirmBy: null });
    const [period] = await periods(id);
    expect(period).toMatchObject({ periodNo: 1, status: 'awaited', paymentId: null, attemptIds: [] });
    const response = await fetch(period?.paymentUrl ?? '', {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: console.url },
      body: 'crypto=LTC',
    });
    const paymentId = response.headers.get('location')?.split('/').at(-1) ?? '';
    expect(paymentId).toMatch(/^txn_/);
    const found = await console.call('owner', { path: '/merchant/payments?mode=test&search=yoga%20on' });
    expect(found.data.payments).toMatchObject([{ id: paymentId, title: 'Yoga on Mondays' }]);
    for (const action of ['pay', 'confirm']) {
      await console.api({ method: 'POST', path: `/transactions/${paymentId}/simulate`, body: { action } });
    }
    await expect
      .poll(async () => (await periods(id))[0], POLLING)
      .toMatchObject({ status: 'paid', paymentId, attemptIds: [paymentId] });

    expect((await decide(id, 'pause')).data).toMatchObject({ status: 'paused', nextDueAt: null });
    const { now } = await detail(id);
    await simulate(id, { action: 'advance_clock', to: now + 40 * DAY_MS });
    expect((await detail(id)).now).toBeGreaterThanOrEqual(now + 40 * DAY_MS);
    expect((await decide(id, 'resume')).data).toMatchObject({ status: 'active', lastPeriodNo: 2 });
    expect((await periods(id)).map(({ status }) => status)).toEqual(['skipped', 'paid']);
    expect((await decide(id, 'cancel')).data).toMatchObject({ status: 'cancelled', isFinished: false });
    expect((await decide(id, 'cancel')).error).toBe('INVALID_STATE');
    expect((await detail(id)).mails.map(({ kind }) => kind)).toEqual(['request', 'confirmation', 'confirmation']);
  });

  test.each<[string, object, string, RegExp]>([
    ['no address', { customerEmail: 'ada' }, 'INVALID_REQUEST', /^customerEmail /],
    ['a script as the address to return to', { successUrl: 'javascript:alert(1)' }, 'INVALID_REQUEST', /^successUrl /],
    ['an amount with an exponent', { amount: '1e2' }, 'INVALID_AMOUNT', /^amount /],
    ['a coin there is not', { crypto: 'XMR' }, 'INVALID_REQUEST', /^crypto /],
    ['a field there is not', { metadata: {} }, 'INVALID_REQUEST', /metadata/],
  ])('%s is rejected by name, and creates no request', async (_, wrong, code, message) => {
    const before = (await list('mode=test')).total;
    const response = await post('', bodyWith(wrong));
    expect([response.status, response.error], response.text).toEqual([400, code]);
    expect(response.message).toMatch(message);
    expect((await list('mode=test')).total).toBe(before);
  });

  test('an invalid change of the test clock is rejected by name', async () => {
    const { id } = await create();
    const tries: [object, RegExp][] = [
      [{ action: 'advance_clock' }, /needs either seconds or to/],
      [{ action: 'confirm', to: 1 }, /^to /],
    ];
    for (const [body, message] of tries) {
      const response = await simulate(id, body);
      expect([response.status, response.error]).toEqual([400, 'INVALID_REQUEST']);
      expect(response.message).toMatch(message);
    }
    await simulate(id, { action: 'stop' });
    const again = await simulate(id, { action: 'confirm' });
    expect([again.status, again.error]).toEqual([409, 'INVALID_STATE']);
  });
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY_MS } from '../../machines/index.ts';
import type { Schedule } from '../../src/client/index.ts';
import { describeDatabases } from '../support/database/test-database.ts';
import { type ApiResponse, startApp, type TestApp, type TestMerchant } from '../support/service/app.ts';
import { errorOf, MONTHLY } from './requests.ts';

describeDatabases('merchant actions on a schedule', (database) => {
  let app: TestApp;
  let merchant: TestMerchant;
  beforeAll(async () => {
    app = await startApp({ connection: database() });
    merchant = await app.addMerchant();
  });
  afterAll(() => app?.stop());

  const send = (path: string, body?: object, key = merchant.keys.sk_test) =>
    app.call<{ data: Schedule }>({ method: 'POST', path: `/recurring/${path}`, key, body });
  const create = async (body?: object) => (await send('create', { ...MONTHLY, ...body })).body.data;
  const status = async (response: Promise<ApiResponse<{ data: Schedule }>>) => (await response).body.data.status;

  test('pause and resume are serialized, and an end is final', async () => {
    const { schedule_id: id } = await create();
    expect(errorOf(await send(`${id}/pause`))).toEqual([409, 'INVALID_STATE']);
    await send(`${id}/simulate`, { action: 'confirm' });
    expect(errorOf(await send(`${id}/resume`))).toEqual([409, 'INVALID_STATE']);
    expect(await status(send(`${id}/pause`))).toBe('paused');
    expect(errorOf(await send(`${id}/pause`))).toEqual([409, 'INVALID_STATE']);
    expect(await status(send(`${id}/resume`))).toBe('active');
    expect(await status(send(`${id}/cancel`))).toBe('cancelled');
    for (const decision of ['cancel', 'pause', 'resume', 'resend-confirmation']) {
      expect(errorOf(await send(`${id}/${decision}`))).toEqual([409, 'INVALID_STATE']);
    }
    for (const happening of [{ action: 'confirm' }, { action: 'stop' }, { action: 'bounce' }]) {
      expect(errorOf(await send(`${id}/simulate`, happening))).toEqual([409, 'INVALID_STATE']);
    }
  });

  test('periods within a pause are skipped, and the next one is requested', async () => {
    const { schedule_id: id } = await create();
    const { confirmed_at: anchor } = (await send(`${id}/simulate`, { action: 'confirm' })).body.data;
    await send(`${id}/pause`);
    const start = Date.parse(anchor ?? '');
    await send(`${id}/simulate`, { action: 'advance_clock', to: new Date(start + 70 * DAY_MS).toISOString() });
    await send(`${id}/resume`);
    await send(`${id}/simulate`, { action: 'advance_clock', to: new Date(start + 100 * DAY_MS).toISOString() });
    const response = await app.call<{ data: { periods: { period_no: number; status: string }[] } }>({
      path: `/recurring/${id}/periods`,
      key: merchant.keys.sk_test,
    });
    expect(response.body.data.periods.map(({ period_no: no, status: is }) => [no, is])).toEqual([
      [4, 'unpaid'],
      [3, 'skipped'],
      [2, 'skipped'],
      [1, 'unpaid'],
    ]);
  });

  test('a confirmation is requested five times at most', async () => {
    const { schedule_id: id } = await create();
    for (let sent = 2; sent <= 5; sent += 1) {
      expect((await send(`${id}/resend-confirmation`)).body.data.confirmations_sent).toBe(sent);
    }
    expect(errorOf(await send(`${id}/resend-confirmation`))).toEqual([409, 'INVALID_STATE']);
  });

  test('a schedule ends with its last period', async () => {
    const { schedule_id: id } = await create({ max_periods: 2, interval: 'weekly' });
    await send(`${id}/simulate`, { action: 'confirm' });
    const until = new Date(app.clock.now() + 21 * DAY_MS).toISOString();
    const { data } = (await send(`${id}/simulate`, { action: 'advance_clock', to: until })).body;
    expect(data).toMatchObject({ status: 'cancelled', end_reason: 'finished', last_period_no: 2, next_due_at: null });
  });

  test('a paused schedule ends with its last period', async () => {
    const { schedule_id: id } = await create({ max_periods: 1 });
    await send(`${id}/simulate`, { action: 'confirm' });
    expect(await status(send(`${id}/pause`))).toBe('paused');
    const until = new Date(app.clock.now() + 8 * DAY_MS).toISOString();
    const { data } = (await send(`${id}/simulate`, { action: 'advance_clock', to: until })).body;
    expect(data).toMatchObject({ status: 'cancelled', end_reason: 'finished' });
    expect(errorOf(await send(`${id}/resume`))).toEqual([409, 'INVALID_STATE']);
  });

  test('the test clock advances within bounds, and not for live schedules', async () => {
    const { schedule_id: id } = await create();
    for (const to of [app.clock.now() - 1, app.clock.now() + 800 * DAY_MS]) {
      const response = await send(`${id}/simulate`, { action: 'advance_clock', to: new Date(to).toISOString() });
      expect(errorOf(response)).toEqual([400, 'INVALID_REQUEST']);
      expect(response.text).toContain('to must be after');
    }
    expect(errorOf(await send(`${id}/simulate`, { action: 'confirm' }, merchant.keys.sk_live))).toEqual([
      403,
      'FORBIDDEN',
    ]);
    expect(
      await status(
        send(`${id}/simulate`, { action: 'advance_clock', to: new Date(app.clock.now() + 8 * DAY_MS).toISOString() }),
      ),
    ).toBe('expired_unconfirmed');
  });

  test('the test clock advances by 10 years in total', async () => {
    const { schedule_id: id } = await create();
    const start = app.clock.now();
    const advance = (days: number) =>
      send(`${id}/simulate`, { action: 'advance_clock', to: new Date(start + days * DAY_MS).toISOString() });
    for (const days of [731, 1_462, 2_193, 2_924]) expect((await advance(days)).status).toBe(200);
    const rejected = await advance(3_654);
    expect(errorOf(rejected)).toEqual([400, 'INVALID_REQUEST']);
    expect(rejected.text).toContain('to must be after');
    expect(rejected.text).toContain('10 years');
    expect((await advance(3_653)).status).toBe(200);
    expect(errorOf(await advance(3_654))).toEqual([400, 'INVALID_REQUEST']);
  });

  test('a schedule is visible to its own merchant in its mode only', async () => {
    const { schedule_id: id } = await create({ reference: 'mine' });
    const otherMerchant = await app.addMerchant();
    for (const key of [otherMerchant.keys.sk_test, merchant.keys.sk_live]) {
      for (const path of [`/recurring/${id}`, `/recurring/${id}/periods`]) {
        expect(errorOf(await app.call({ path, key }))).toEqual([404, 'SCHEDULE_NOT_FOUND']);
      }
      for (const decision of ['pause', 'resume', 'cancel', 'resend-confirmation']) {
        expect(errorOf(await send(`${id}/${decision}`, undefined, key))).toEqual([404, 'SCHEDULE_NOT_FOUND']);
      }
      const list = await app.call<{ data: { pagination: { total: number } } }>({ path: '/recurring/list', key });
      expect(list.body.data.pagination.total).toBe(0);
    }
  });
});

import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../../../../machines/index.ts';
import type { Schedule, SchedulePeriod } from '../../../../src/client/index.ts';
import { describeDatabases } from '../../../support/database/test-database.ts';
import { expectProblem } from '../support.ts';
import { useSchedules } from './recurring-support.ts';

type Page = { readonly schedules: readonly Schedule[]; readonly pagination: object };

describeDatabases('recurring payment requests', (database) => {
  const { app, merchant, key, send, ask, create, written } = useSchedules(database);

  describe('listed', () => {
    test('newest first, in pages, by status and reference', async () => {
      const shop = await app().addMerchant();
      const by = shop.keys.sk_test;
      const made: string[] = [];
      for (const reference of ['a', 'b', 'a', 'b', 'a']) {
        made.unshift((await create(by, { reference })).schedule_id);
        app().clock.advance(1_000);
      }
      const [first = '', second = ''] = made;
      await ask(by, 'POST /recurring/{schedule_id}/simulate', first, { action: 'confirm' });
      await ask(by, 'POST /recurring/{schedule_id}/cancel', second);
      const list = async (query: string) => {
        const page = await ask<Page>(by, `GET /recurring/list?${query}`);
        return { ids: page.schedules.map(({ schedule_id: id }) => made.indexOf(id)), pagination: page.pagination };
      };
      expect(await list('')).toEqual({ ids: [0, 1, 2, 3, 4], pagination: { limit: 20, offset: 0, total: 5 } });
      expect(await list('limit=2&offset=2')).toEqual({ ids: [2, 3], pagination: { limit: 2, offset: 2, total: 5 } });
      expect(await list('offset=9')).toEqual({ ids: [], pagination: { limit: 20, offset: 9, total: 5 } });
      expect((await list('status=active')).ids).toEqual([0]);
      expect((await list('status=pending_confirmation')).ids).toEqual([2, 3, 4]);
      expect((await list('reference=a')).ids).toEqual([0, 2, 4]);
      expect((await list('reference=b&status=cancelled')).ids).toEqual([1]);
      expect((await list('reference=c')).ids).toEqual([]);
    });

    test.each([
      ['limit=0', 'limit'],
      ['limit=101', 'limit'],
      ['offset=-1', 'offset'],
      ['status=stopped', 'status'],
      ['reference=', 'reference'],
      ['reference=%00', 'reference'],
      ['order_id=1', 'order_id'],
    ])('not by %s', async (query, field) => {
      const response = await send(key(), 'GET', `/recurring/list?${query}`);
      expect(expectProblem(response, 400, 'INVALID_REQUEST').details).toMatchObject([{ field }]);
    });
  });

  describe('changed', () => {
    test('move from one state to the next, and every response shows the state', async () => {
      const { schedule_id: id } = await create(key(), { max_periods: 2 });
      const act = (what: string, body?: object) => ask(key(), `POST /recurring/{schedule_id}/${what}`, id, body);
      const reject = async (what: string) => {
        const response = await send(key(), 'POST', `/recurring/${id}/${what}`);
        return expectProblem(response, 409, 'INVALID_STATE').message;
      };
      for (const what of ['pause', 'resume']) expect(await reject(what)).toContain('pending_confirmation');
      expect(await act('resend-confirmation', {})).toMatchObject({ confirmations_sent: 2 });

      const confirmed = await act('simulate', { action: 'confirm' });
      const now = new Date(app().clock.now()).toISOString();
      expect(confirmed).toMatchObject({ status: 'active', confirmed_at: now, last_period_no: 1 });
      for (const what of ['resume', 'resend-confirmation']) expect(await reject(what)).toContain('active');
      expect(Date.parse(confirmed.next_due_at ?? '')).toBeGreaterThan(app().clock.now() + 27 * DAY_MS);

      expect(await act('pause')).toMatchObject({ status: 'paused', next_due_at: null });
      expect(await reject('pause')).toContain('paused');
      expect(await act('resume')).toMatchObject({ status: 'active', next_due_at: confirmed.next_due_at });
      expect(await act('cancel', {})).toMatchObject({
        status: 'cancelled',
        end_reason: 'cancelled',
        ended_at: expect.any(String),
        next_due_at: null,
      });
      for (const what of ['pause', 'resume', 'cancel', 'resend-confirmation']) {
        expect(await reject(what)).toContain('cancelled');
      }
    });

    test('can have their confirmation resent five times at most', async () => {
      const { schedule_id: id } = await create(key());
      for (let sent = 2; sent <= 5; sent += 1) {
        const again = await ask(key(), 'POST /recurring/{schedule_id}/resend-confirmation', id);
        expect(again.confirmations_sent).toBe(sent);
      }
      const before = await written();
      expectProblem(await send(key(), 'POST', `/recurring/${id}/resend-confirmation`), 409, 'INVALID_STATE');
      expect(await written()).toEqual(before);
    });

    test.each([
      [{ reason: 'I want to' }, 'reason'],
      [{ '\u0000\ud800': 1 }, '\ufffd\ufffd'],
      [[], null],
      [null, null],
      ['now', null],
    ])('need no body: %j is rejected', async (body, field) => {
      const { schedule_id: id } = await create(key());
      const text = JSON.stringify(body);
      for (const what of ['pause', 'resume', 'cancel', 'resend-confirmation']) {
        const { details } = expectProblem(
          await send(key(), 'POST', `/recurring/${id}/${what}`, text),
          400,
          'INVALID_REQUEST',
        );
        expect(details?.map((each) => each.field) ?? []).toEqual(field === null ? [] : [field]);
      }
      expect(await ask(key(), 'GET /recurring/{schedule_id}', id)).toMatchObject({
        status: 'pending_confirmation',
        confirmations_sent: 1,
      });
    });
  });

  describe('simulated', () => {
    test('through their whole life: periods are requested, skipped and paid, and the list shows each', async () => {
      const { schedule_id: id } = await create(key(), { interval: 'weekly', crypto: 'LTC', max_periods: 4 });
      const simulate = (body: object) => ask(key(), 'POST /recurring/{schedule_id}/simulate', id, body);
      const periods = async (query = '') =>
        ask<{ periods: SchedulePeriod[]; pagination: object }>(
          key(),
          `GET /recurring/{schedule_id}/periods${query}`,
          id,
        );
      expect(await periods()).toEqual({ periods: [], pagination: { limit: 20, offset: 0, total: 0 } });
      const { confirmed_at: at } = await simulate({ action: 'confirm' });
      const start = Date.parse(at ?? '');
      const day = (days: number) => new Date(start + days * DAY_MS).toISOString();

      const [first] = (await periods()).periods;
      expect(first).toMatchObject({ period_no: 1, status: 'awaited', due_at: day(0), requested_at: day(0) });
      expect(first?.payment_url).toMatch(/^https:\/\/pay\.example\.com\/recurring\/pay\/[0-9a-f]{32}$/);
      const page = await app().post(first?.payment_url ?? '', { crypto: 'LTC' });
      const transactionId = /txn_[0-9a-z]{26}/.exec(page.location ?? '')?.[0] ?? '';
      expect((await periods()).periods[0]?.attempts).toEqual([transactionId]);

      expect(await simulate({ action: 'advance_clock', to: day(7) })).toMatchObject({
        last_period_no: 2,
        next_due_at: day(14),
      });
      const [second, unpaid] = (await periods()).periods;
      expect(second).toMatchObject({ period_no: 2, status: 'awaited', reminders_sent: 0, settled_at: null });
      expect(unpaid).toMatchObject({ period_no: 1, status: 'unpaid', reminders_sent: 2, settled_at: day(7) });

      await ask(key(), 'POST /recurring/{schedule_id}/pause', id);
      await simulate({ action: 'advance_clock', to: day(22) });
      expect(await ask(key(), 'POST /recurring/{schedule_id}/resume', id)).toMatchObject({
        status: 'cancelled',
        end_reason: 'finished',
      });
      const all = (await periods()).periods;
      expect(all.map(({ period_no: no, status }) => `${no} ${status}`)).toEqual([
        '4 skipped',
        '3 skipped',
        '2 unpaid',
        '1 unpaid',
      ]);
      expect(all[0]).toMatchObject({ payment_url: null, requested_at: null, attempts: [], transaction_id: null });
      const middle = await periods('?limit=2&offset=1');
      expect(middle.periods.map(({ period_no: no }) => no)).toEqual([3, 2]);
      expect(middle.pagination).toEqual({ limit: 2, offset: 1, total: 4 });
    });

    test.each([
      ['stop', 'stopped_by_customer'],
      ['bounce', 'bounced'],
    ])('%s ends them', async (what, status) => {
      const { schedule_id: id } = await create(key());
      const simulate = '/simulate';
      const ended = await ask(key(), `POST /recurring/{schedule_id}${simulate}`, id, { action: what });
      expect(ended).toMatchObject({ status, end_reason: status });
      expectProblem(
        await send(key(), 'POST', `/recurring/${id}/simulate`, { action: 'confirm' }),
        409,
        'INVALID_STATE',
      );
    });

    test('end when the customer does not confirm in 7 days', async () => {
      const { schedule_id: id } = await create(key());
      const week = new Date(app().clock.now() + 7 * DAY_MS).toISOString();
      const ended = await ask(key(), 'POST /recurring/{schedule_id}/simulate', id, {
        action: 'advance_clock',
        to: week,
      });
      expect(ended).toMatchObject({ status: 'expired_unconfirmed', end_reason: 'unconfirmed', ended_at: week });
    });

    test.each([
      ['nothing', {}, 'action'],
      ['null', { action: null }, 'action'],
      ['a payment', { action: 'pay' }, 'action'],
      ['a coin', { action: 'confirm', amount_crypto: 1 }, 'amount_crypto'],
      ['the clock and the customer', { action: 'confirm', to: '2027-01-01' }, 'to'],
      ['the customer and the clock', { action: 'stop', seconds: 60 }, 'seconds'],
      ['no time', { action: 'advance_clock' }, 'seconds'],
      ['two times', { action: 'advance_clock', seconds: 60, to: '2027-01-01' }, 'to'],
      ['no seconds', { action: 'advance_clock', seconds: 0 }, 'seconds'],
      ['a second more than two years', { action: 'advance_clock', seconds: 731 * 86_400 + 1 }, 'seconds'],
      ['a moment that is none', { action: 'advance_clock', to: 'later' }, 'to'],
      ['a day there is not', { action: 'advance_clock', to: '2027-02-29' }, 'to'],
      ['the past', { action: 'advance_clock', to: '2020-01-01' }, 'to'],
      ['a far future', { action: 'advance_clock', to: '2900-01-01' }, 'to'],
      ['beyond four digits', { action: 'advance_clock', to: '9999-12-31T23:59:59-12:00' }, 'to'],
    ])('not by %s', async (_what, body, field) => {
      const { schedule_id: id } = await create(key());
      const response = await send(key(), 'POST', `/recurring/${id}/simulate`, body);
      const { details } = expectProblem(response, 400, 'INVALID_REQUEST');
      expect(details?.map((each) => each.field) ?? []).toEqual(field === null ? [] : [field]);
      expect(await ask(key(), 'GET /recurring/{schedule_id}', id)).toMatchObject({ status: 'pending_confirmation' });
    });

    test('only by test keys', async () => {
      const { schedule_id: id } = await create(key());
      const response = await send(merchant().keys.sk_live, 'POST', `/recurring/${id}/simulate`, { action: 'confirm' });
      expect(expectProblem(response, 403, 'FORBIDDEN').message).toContain('sk_test_');
    });
  });

  describe('belong to a merchant and a mode', () => {
    const REQUESTS = [
      ['GET', '', undefined],
      ['GET', '/periods', undefined],
      ['POST', '/pause', {}],
      ['POST', '/resume', {}],
      ['POST', '/cancel', undefined],
      ['POST', '/resend-confirmation', undefined],
      ['POST', '/simulate', { action: 'confirm' }],
    ] as const;

    test.each(REQUESTS)(
      '%s %s: other merchants and the other mode see nothing, and change nothing',
      async (method, what, body) => {
        const [mine, otherMerchant] = [await app().addMerchant(), await app().addMerchant()];
        const { schedule_id: id } = await create(mine.keys.sk_test);
        const before = await written();
        const call = (by: string | null, path: string) => send(by, method, path, body);
        const never = expectProblem(
          await call(mine.keys.sk_test, `/recurring/${randomUUID()}${what}`),
          404,
          'SCHEDULE_NOT_FOUND',
        );
        const foreign = await call(otherMerchant.keys.sk_test, `/recurring/${id}${what}`);
        expect(expectProblem(foreign, 404, 'SCHEDULE_NOT_FOUND')).toEqual(never);
        if (what !== '/simulate') {
          expectProblem(await call(mine.keys.sk_live, `/recurring/${id}${what}`), 404, 'SCHEDULE_NOT_FOUND');
        }
        expectProblem(await call(mine.keys.pk_test, `/recurring/${id}${what}`), 403, 'USE_PAY_ENDPOINT');
        expectProblem(await call(null, `/recurring/${id}${what}`), 401, 'UNAUTHORIZED');
        for (const text of [
          'x',
          '%00',
          `${id}0`,
          `{${id}}`,
          id.replaceAll('-', ''),
          'txn_0',
          "'or'1'='1",
          `%20${id}`,
        ]) {
          expectProblem(await call(mine.keys.sk_test, `/recurring/${text}${what}`), 404, 'SCHEDULE_NOT_FOUND');
        }
        expect(await written()).toEqual(before);
        expect(await ask(mine.keys.sk_test, 'GET /recurring/{schedule_id}', id.toUpperCase())).toMatchObject({
          schedule_id: id,
          status: 'pending_confirmation',
        });
      },
    );

    test('and are listed for it only', async () => {
      const [mine, otherMerchant] = [await app().addMerchant(), await app().addMerchant()];
      await create(mine.keys.sk_test);
      for (const by of [otherMerchant.keys.sk_test, mine.keys.sk_live]) {
        expect((await ask<Page>(by, 'GET /recurring/list')).schedules).toEqual([]);
      }
    });
  });
});

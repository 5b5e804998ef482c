import { type Kysely, sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { SIMULATE_ACTIONS } from '../../../src/payments/index.ts';
import type { Database } from '../../../src/platform/db/index.ts';
import { transactionViolations } from '../../contract/transaction-violations.ts';
import { describeDatabases } from '../../support/database/test-database.ts';
import { POLLING } from '../../support/polling.ts';
import { countWritten, expectProblem, useApp } from './support.ts';

/**
 * One step of a scenario: an action with its parameters, and the expected fields of the response.
 */
type Step = readonly [
  action: string,
  more: Readonly<Record<string, unknown>>,
  expected: Readonly<Record<string, unknown>>,
];

interface Story {
  readonly name: string;
  readonly crypto?: string;
  readonly steps: readonly Step[];
}

const WINDOW_SECONDS = 30 * 60;
const DAY_SECONDS = 24 * 60 * 60;
const detected = { status: 'detected', confirmations: 0, confirmed_at: null };
const confirmed = { status: 'confirmed', confirmed_at: expect.stringMatching(/Z$/) };

/** 25 USD are 0.3125 LTC at the sample rate of 80, with a tolerance of 0.5 %. */
const STORIES: readonly Story[] = [
  {
    name: 'paid exactly',
    steps: [
      [
        'pay',
        {},
        {
          status: 'awaiting_confirmation',
          amount_paid: 0.3125,
          amount_remaining: 0,
          payments: [{ ...detected, amount_crypto: 0.3125, txid: expect.stringMatching(/^[0-9a-f]{64}$/) }],
        },
      ],
      [
        'confirm',
        {},
        {
          status: 'completed',
          amount_paid: 0.3125,
          amount_remaining: 0,
          payments: [{ ...confirmed, confirmations: 3 }],
        },
      ],
    ],
  },
  {
    name: 'paid in two parts',
    steps: [
      ['pay_partial', { amount_crypto: 0.1 }, { status: 'partial', amount_paid: 0.1, amount_remaining: 0.2125 }],
      ['confirm', {}, { status: 'partial', amount_paid: 0.1, payments: [confirmed] }],
      [
        'pay',
        {},
        { status: 'awaiting_confirmation', amount_paid: 0.3125, amount_remaining: 0, payments: [confirmed, detected] },
      ],
      ['confirm', {}, { status: 'completed', payments: [confirmed, confirmed] }],
    ],
  },
  {
    name: 'half, unless an amount is given',
    steps: [['pay_partial', {}, { status: 'partial', amount_paid: 0.15625, amount_remaining: 0.15625 }]],
  },
  {
    name: 'within the tolerance',
    steps: [
      [
        'pay_partial',
        { amount_crypto: 0.311 },
        { status: 'awaiting_confirmation', amount_paid: 0.311, amount_remaining: 0.0015 },
      ],
      ['confirm', {}, { status: 'completed' }],
    ],
  },
  {
    name: 'overpaid, and then once more',
    steps: [
      ['overpay', {}, { status: 'awaiting_confirmation', amount_paid: 0.34375001, amount_remaining: 0 }],
      ['confirm', {}, { status: 'completed' }],
      [
        'overpay',
        { amount_crypto: 1 },
        { status: 'completed', amount_paid: 1.34375001, payments: [confirmed, detected] },
      ],
    ],
  },
  {
    name: 'late',
    steps: [
      ['pay_late', {}, { status: 'expired', exception: 'paid_late', amount_paid: 0.3125, payments: [detected] }],
      ['double_spend', {}, { status: 'expired', amount_paid: 0, payments: [{ status: 'replaced' }] }],
    ],
  },
  {
    name: 'replaced by a double spend, then paid',
    steps: [
      ['pay', {}, { status: 'awaiting_confirmation' }],
      [
        'double_spend',
        {},
        {
          status: 'pending',
          amount_paid: 0,
          amount_remaining: 0.3125,
          payments: [{ status: 'replaced', amount_crypto: 0.3125 }],
        },
      ],
      ['pay', {}, { status: 'awaiting_confirmation', amount_paid: 0.3125 }],
      ['confirm', {}, { status: 'completed' }],
    ],
  },
  {
    name: 'replaced after the window, and lost once that has lasted',
    steps: [
      ['pay', {}, { status: 'awaiting_confirmation' }],
      ['advance_clock', { seconds: WINDOW_SECONDS }, { status: 'awaiting_confirmation' }],
      ['double_spend', {}, { status: 'awaiting_confirmation', amount_paid: 0 }],
      ['advance_clock', { seconds: 19 * 60 }, { status: 'awaiting_confirmation' }],
      ['advance_clock', { seconds: 2 * 60 }, { status: 'failed', amount_paid: 0 }],
    ],
  },
  {
    name: 'one of two parts replaced',
    steps: [
      ['pay_partial', { amount_crypto: 0.1 }, { status: 'partial' }],
      ['pay_partial', { amount_crypto: 0.1 }, { status: 'partial', amount_paid: 0.2 }],
      ['double_spend', {}, { status: 'partial', amount_paid: 0.1, amount_remaining: 0.2125 }],
    ],
  },
  {
    name: 'completed, then reorganised away: completed all the same',
    steps: [
      ['pay', {}, {}],
      ['confirm', {}, { status: 'completed' }],
      ['reorg', {}, { status: 'completed' }],
    ],
  },
  {
    name: 'a part reorganised away',
    steps: [
      ['pay_partial', { amount_crypto: 0.1 }, {}],
      ['confirm', {}, { status: 'partial', payments: [confirmed] }],
      ['reorg', {}, { status: 'pending', amount_paid: 0 }],
    ],
  },
  {
    name: 'not paid in time',
    steps: [
      ['advance_clock', { seconds: WINDOW_SECONDS - 60 }, { status: 'pending' }],
      ['advance_clock', { seconds: 120 }, { status: 'expired', amount_paid: 0 }],
    ],
  },
  {
    name: 'paid in part when the window closes',
    steps: [
      ['pay_partial', { amount_crypto: 0.1 }, { status: 'partial' }],
      [
        'advance_clock',
        { seconds: WINDOW_SECONDS + 1 },
        { status: 'expired', amount_paid: 0.1, amount_remaining: 0.2125 },
      ],
    ],
  },
  {
    name: 'seen but never confirmed',
    steps: [
      ['pay', {}, { status: 'awaiting_confirmation' }],
      ['advance_clock', { seconds: WINDOW_SECONDS + 1 }, { status: 'awaiting_confirmation' }],
      ['advance_clock', { seconds: DAY_SECONDS }, { status: 'failed' }],
    ],
  },
  {
    name: 'coins long after the window are recorded and change nothing',
    steps: [
      ['advance_clock', { seconds: DAY_SECONDS }, { status: 'expired' }],
      ['pay_late', {}, { status: 'expired', amount_paid: 0.3125, payments: [detected] }],
    ],
  },
  {
    name: 'a balance that drops',
    crypto: 'ETH',
    steps: [['drop_balance', {}, { status: 'pending', exception: 'needs_review' }]],
  },
  {
    name: 'a token',
    crypto: 'USDC',
    steps: [
      ['pay', {}, { status: 'awaiting_confirmation', amount_paid: 25, confirmations_required: 12 }],
      ['confirm', {}, { status: 'completed', payments: [{ ...confirmed, confirmations: 12 }] }],
    ],
  },
];

describeDatabases('simulation', (database) => {
  const { app, merchant } = useApp(database);

  test.each(STORIES)('$name', async ({ crypto = 'LTC', steps }) => {
    const { sk_test: key } = merchant().keys;
    const { transaction_id: id } = await app().create(key, { crypto });
    for (const [action, more, expected] of steps) {
      // Payments are listed in the order in which they were seen.
      app().clock.advance(1_000);
      const response = await app().simulate(key, id, action, more);
      expect(response, action).toMatchObject(expected);
      expect(response.exception, action).toBe(expected.exception);
      expect(transactionViolations(response)).toEqual([]);
      const got = await app().call<{ data: unknown }>({ path: `/transactions/${id}`, key });
      // A depth check may be answered once more in between, which changes nothing else.
      expect(got.body.data).toEqual({ ...response, step: expect.any(Number) });
    }
  });

  test('every action occurs in some scenario', () => {
    const sent = new Set(STORIES.flatMap(({ steps }) => steps.map(([action]) => action)));
    expect([...sent].sort()).toEqual([...SIMULATE_ACTIONS].sort());
  });

  test.each([
    ['pay', 'nothing is due', ['pay']],
    ['confirm', 'nothing was paid', []],
    ['confirm', 'everything is confirmed', ['pay', 'confirm']],
    ['double_spend', 'nothing was paid', []],
    ['double_spend', 'it is in a block', ['pay', 'confirm']],
    ['reorg', 'nothing is in a block', ['pay']],
    ['pay_late', 'coins are on their way', ['pay']],
    ['pay_late', 'it is completed', ['pay', 'confirm']],
  ] as const)('%s is rejected while %s, and writes nothing', async (action, _why, earlier) => {
    const { sk_test: key } = merchant().keys;
    const { transaction_id: id } = await app().create(key);
    for (const each of earlier) await app().simulate(key, id, each);
    const before = await countWritten(app());
    const response = await app().call({ method: 'POST', path: `/transactions/${id}/simulate`, key, body: { action } });
    expectProblem(response, 409, 'INVALID_STATE');
    expect(await countWritten(app())).toEqual(before);
  });

  test.each(SIMULATE_ACTIONS)('%s is rejected where only the record of a payment is left', async (action) => {
    const { sk_test: key } = merchant().keys;
    const { transaction_id: id } = await app().create(key, { crypto: 'ETH' });
    for (const each of ['pay', 'confirm']) await app().simulate(key, id, each);
    await app().simulate(key, id, 'advance_clock', { seconds: 31 * DAY_SECONDS });
    await forgetActor(app().connection.db, id);
    const shown = await app().call<{ data: unknown }>({ path: `/transactions/${id}`, key });
    const before = await countWritten(app());
    const body = action === 'advance_clock' ? { action, seconds: 1 } : { action };
    const response = await app().call({ method: 'POST', path: `/transactions/${id}/simulate`, key, body });
    expect(expectProblem(response, 409, 'INVALID_STATE').message).toContain('only its record remains');
    expect(await countWritten(app())).toEqual(before);
    expect((await app().call<{ data: unknown }>({ path: `/transactions/${id}`, key })).body).toEqual(shown.body);
  });

  test('rule 10: no more is paid after 50 outputs; the existing ones can still be confirmed', async () => {
    const { sk_test: key } = merchant().keys;
    const { transaction_id: id } = await app().create(key);
    for (let paid = 0; paid < 50; paid += 1)
      await app().simulate(key, id, 'pay_partial', { amount_crypto: 0.00000001 });
    const before = await countWritten(app());
    for (const action of ['pay', 'pay_partial', 'overpay', 'pay_late']) {
      const response = await app().call({
        method: 'POST',
        path: `/transactions/${id}/simulate`,
        key,
        body: { action },
      });
      expect(expectProblem(response, 409, 'INVALID_STATE').message).toContain('50 outputs');
    }
    expect(await countWritten(app())).toEqual(before);
    expect(await app().simulate(key, id, 'confirm')).toMatchObject({ status: 'partial' });
  });

  test.each(SIMULATE_ACTIONS)('%s is rejected once the payment is closed', async (action) => {
    const { sk_test: key } = merchant().keys;
    const { transaction_id: id } = await app().create(key, { crypto: 'ETH' });
    await app().simulate(key, id, 'advance_clock', { seconds: 31 * DAY_SECONDS });
    const body = action === 'advance_clock' ? { action, seconds: 1 } : { action };
    const response = await app().call({ method: 'POST', path: `/transactions/${id}/simulate`, key, body });
    expect(expectProblem(response, 409, 'INVALID_STATE').message).toContain('is final');
  });

  test('a clock advances up to a moment, as of a schedule, and never back', async () => {
    const { sk_test: key } = merchant().keys;
    const { transaction_id: id, expires_at: end } = await app().create(key);
    const before = new Date(Date.parse(end) - 1).toISOString();
    expect(await app().simulate(key, id, 'advance_clock', { to: before })).toMatchObject({ status: 'pending' });
    expect(await app().simulate(key, id, 'advance_clock', { to: end })).toMatchObject({ status: 'expired' });
    const body = { action: 'advance_clock', to: before };
    const response = await app().call({ method: 'POST', path: `/transactions/${id}/simulate`, key, body });
    expect(expectProblem(response, 400, 'INVALID_REQUEST').details).toMatchObject([{ field: 'to' }]);
  });

  test('a clock advances 10 years in total; more returns 400 and changes nothing', async () => {
    const key = (await app().addMerchant()).keys.sk_test;
    const { transaction_id: id } = await app().create(key, { crypto: 'ETH' });
    // A payment in review stays open, however much time passes.
    await app().simulate(key, id, 'drop_balance');
    const tenYearsInDays = 3_653;
    const fullCalls = Math.floor(tenYearsInDays / 366);
    for (let call = 0; call < fullCalls; call += 1) {
      await app().simulate(key, id, 'advance_clock', { seconds: 366 * DAY_SECONDS });
    }
    const left = (tenYearsInDays - fullCalls * 366) * DAY_SECONDS;
    const advance = (seconds: number) =>
      app().call({
        method: 'POST',
        path: `/transactions/${id}/simulate`,
        key,
        body: { action: 'advance_clock', seconds },
      });
    const problem = expectProblem(await advance(left + 1), 400, 'INVALID_REQUEST');
    expect(problem).toMatchObject({ details: [{ field: 'seconds', message: expect.stringContaining(`${left}`) }] });
    expect((await advance(left)).status).toBe(200);
    expectProblem(await advance(1), 400, 'INVALID_REQUEST');
  });

  test('the simulated chain of a payment is deleted when the payment closes, which looks the same after it', async () => {
    const key = (await app().addMerchant()).keys.sk_test;
    const { transaction_id: id } = await app().create(key);
    await app().simulate(key, id, 'pay');
    await app().simulate(key, id, 'confirm');
    const marks = () => database().db.selectFrom('watermark').selectAll().where('gate', 'like', `%/${id}`).execute();
    expect(await marks()).toHaveLength(1);
    const read = async () =>
      (await app().call<{ data: Record<string, unknown> }>({ path: `/transactions/${id}`, key })).body.data;
    const { payments } = await read();
    await app().simulate(key, id, 'advance_clock', { seconds: 31 * DAY_SECONDS });
    expect(await marks()).toEqual([]);
    expect(await read()).toMatchObject({ status: 'completed', payments });
  });

  test('rule 41: advancing one clock does not affect the others', async () => {
    const { sk_test: key } = merchant().keys;
    const [mine, other] = [await app().create(key), await app().create(key)];
    await app().simulate(key, mine.transaction_id, 'advance_clock', { seconds: WINDOW_SECONDS + 1 });
    const untouched = await app().call<{ data: unknown }>({ path: `/transactions/${other.transaction_id}`, key });
    expect(untouched.body.data).toEqual(other);
  });
});

// Helpers

/**
 * Archives a finished payment, as soon as no transaction locks it, and deletes it from the archive.
 */
async function forgetActor(db: Kysely<Database>, id: string): Promise<void> {
  await vi.waitFor(async () => {
    const { rows } = await sql`
      select archive_actors(array[id], array[sequence], clock_timestamp()) from actor where id = ${id}`.execute(db);
    expect(rows).toHaveLength(1);
  }, POLLING);
  await sql`delete from actor_archive where id = ${id}`.execute(db);
}

import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CryptoSymbol } from '../../machines/index.ts';
import { listLinks, type PaymentLink } from '../../src/links/index.ts';
import { findLink } from '../../src/links/link.ts';
import { expectProblem } from '../http/api/support.ts';
import { describeDatabases } from '../support/database/test-database.ts';
import { assertAsyncProperty } from '../support/run/fast-check.ts';
import { level } from '../support/run/level.ts';
import { startApp, type TestApp, type TestMerchant } from '../support/service/app.ts';
import { addLink, pay, shutLink, transactionOf } from './links-app.ts';

/** Customers who open a single-use link concurrently. */
const OPENERS = level.pick({ quick: 8, full: 50 });

const inOrder = (a: string, b: string) => (a < b ? -1 : 1);

describeDatabases('uses of a payment link', (database) => {
  let apps: TestApp[] = [];
  let customers = 0;

  beforeAll(async () => {
    // Two processes of the service on one database.
    apps = [await startApp({ connection: database() }), await startApp({ connection: database() })];
  });
  afterAll(async () => {
    for (const each of apps) await each.stop();
  });

  function app(index: number): TestApp {
    const [found = apps[0]] = [apps[index % apps.length]];
    if (found === undefined) throw new Error('The apps run inside tests and hooks only');
    return found;
  }

  async function openAs(
    index: number,
    merchant: TestMerchant,
    { slug }: PaymentLink,
    from = newCustomer(),
    crypto: CryptoSymbol = 'LTC',
  ) {
    return pay(app(index), { pk: merchant.keys.pk_test, amount: '1', crypto, link: slug }, { from });
  }

  function newCustomer(): string {
    customers += 1;
    return `10.0.${customers >> 8}.${customers & 255}`;
  }

  /** Each step runs in the other process than the one before. */
  async function complete(index: number, { keys }: TestMerchant, id: string): Promise<void> {
    await app(index).simulate(keys.sk_test, id, 'pay');
    const completed = await app(index + 1).simulate(keys.sk_test, id, 'confirm');
    expect(completed).toMatchObject({ status: 'completed' });
  }

  async function countsOf(link: PaymentLink): Promise<{ uses: number; excessUses: number }> {
    const now = await findLink(database().db, link);
    return { uses: now?.uses ?? -1, excessUses: now?.excessUses ?? -1 };
  }

  test('rule 43: when many customers open and pay a single-use link at once, all payments complete and exactly one counts', async () => {
    const merchant = await app(0).addMerchant();
    const link = await addLink(app(0), merchant);
    const opened = await Promise.all(Array.from({ length: OPENERS }, (_, index) => openAs(index, merchant, link)));
    const ids = opened.map(transactionOf);
    expect(new Set(ids).size).toBe(OPENERS);
    await Promise.all(ids.map((id, index) => complete(index, merchant, id)));

    expect(await countsOf(link)).toEqual({ uses: 1, excessUses: OPENERS - 1 });
    const [listed] = await listLinks(database().db, merchant.id);
    const { rows } = await countedPayments();
    const winners = rows.filter((row) => ids.includes(row.transaction_id) && row.counted_as === 'use');
    expect(winners).toHaveLength(1);
    const losers = ids.filter((id) => id !== winners[0]?.transaction_id);
    expect([...(listed?.excessTransactionIds ?? [])].toSorted(inOrder)).toEqual(losers.toSorted(inOrder));
    const alerts = await database()
      .db.selectFrom('operator_alert')
      .select('actor_id')
      .where('alert', '=', 'payment_link_overused')
      .where('actor_id', 'in', ids)
      .execute();
    expect(alerts.map(({ actor_id: id }) => id ?? '').toSorted(inOrder)).toEqual(losers.toSorted(inOrder));
    expectProblem(await openAs(0, merchant, link), 409, 'PAYMENT_LINK_PAID');
  });

  async function countedPayments() {
    const rows = await database().db.selectFrom('link_payment').select(['transaction_id', 'counted_as']).execute();
    return { rows };
  }

  // At the quick level, the test above covers a limit that several reach at once.
  if (level.isFull)
    test('for any limit and any number of payments, the uses are all counted, and no payment is lost', async () => {
      const scenario = fc.record({
        maxUses: fc.option(fc.integer({ min: 1, max: 3 })),
        openers: fc.integer({ min: 1, max: 6 }),
        payers: fc.array(fc.nat({ max: 5 }), { maxLength: 6 }),
        atOnce: fc.boolean(),
      });
      await assertAsyncProperty(
        fc.asyncProperty(scenario, async ({ maxUses, openers, payers, atOnce }) => {
          const merchant = await app(0).addMerchant();
          const link = await addLink(app(0), merchant, { maxUses });
          const ids: string[] = [];
          for (let index = 0; index < openers; index += 1) {
            ids.push(transactionOf(await openAs(index, merchant, link)));
          }
          const paying = [...new Set(payers)].flatMap((index) => ids[index] ?? []);
          const works = paying.map((id, index) => () => complete(index, merchant, id));
          if (atOnce) await Promise.all(works.map((work) => work()));
          else for (const work of works) await work();

          const uses = Math.min(paying.length, maxUses ?? Number.POSITIVE_INFINITY);
          expect(await countsOf(link)).toEqual({ uses, excessUses: paying.length - uses });
          const next = await openAs(0, merchant, link);
          if (maxUses !== null && paying.length >= maxUses) expectProblem(next, 409, 'PAYMENT_LINK_PAID');
          else transactionOf(next);
        }),
        { numRuns: 25 },
      );
    });

  test('a late payment consumes no use until the merchant accepts it', async () => {
    const merchant = await app(0).addMerchant();
    const link = await addLink(app(0), merchant);
    const payer = newCustomer();
    const id = transactionOf(await openAs(0, merchant, link, payer));
    await app(0).simulate(merchant.keys.sk_test, id, 'pay_late');
    expect(await countsOf(link)).toEqual({ uses: 0, excessUses: 0 });
    expect(transactionOf(await openAs(1, merchant, link, payer))).toBe(id);
    expect(transactionOf(await openAs(0, merchant, link))).not.toBe(id);
  });

  test('a payment without a link, or with one of the other mode, counts for no link', async () => {
    const merchant = await app(0).addMerchant();
    const link = await addLink(app(0), merchant, { slug: 'same-name' });
    const live = await addLink(app(0), merchant, { slug: 'same-name', mode: 'live' });
    const { transaction_id: id } = await app(0).create(merchant.keys.sk_test);
    await complete(0, merchant, id);
    expect(await countsOf(link)).toEqual({ uses: 0, excessUses: 0 });
    await complete(0, merchant, transactionOf(await openAs(0, merchant, link)));
    expect(await countsOf(link)).toEqual({ uses: 1, excessUses: 0 });
    expect(await countsOf(live)).toEqual({ uses: 0, excessUses: 0 });
  });

  test('while the last use is being confirmed, only the payer is redirected: to their own payment', async () => {
    const merchant = await app(0).addMerchant();
    const link = await addLink(app(0), merchant);
    const [payer, other] = [newCustomer(), newCustomer()];
    const id = transactionOf(await openAs(0, merchant, link, payer));
    const { sk_test } = merchant.keys;
    await app(0).simulate(sk_test, id, 'pay_partial');
    expect(transactionOf(await openAs(0, merchant, link, payer))).toBe(id);
    transactionOf(await openAs(0, merchant, link, other));
    await app(0).simulate(sk_test, id, 'pay');
    expect(transactionOf(await openAs(1, merchant, link, payer))).toBe(id);
    const rejected = expectProblem(await openAs(0, merchant, link, other), 409, 'PAYMENT_LINK_PAID');
    expect(rejected.message).toMatch(/being confirmed/);

    await app(0).simulate(sk_test, id, 'confirm');
    for (const customer of [payer, other]) {
      const paid = expectProblem(await openAs(0, merchant, link, customer), 409, 'PAYMENT_LINK_PAID');
      expect(paid.message).toMatch(/has already been paid/);
    }
  });

  test.each([
    ['any number of times', null],
    ['twice', 2],
  ])(
    'after it ended, a link that can be paid %s still redirects a customer who paid a part to their payment',
    async (_, maxUses) => {
      const merchant = await app(0).addMerchant();
      const link = await addLink(app(0), merchant, { maxUses });
      const [payer, other] = [newCustomer(), newCustomer()];
      const id = transactionOf(await openAs(0, merchant, link, payer));
      await app(0).simulate(merchant.keys.sk_test, id, 'pay_partial');
      await shutLink(app(0), link);
      expect(transactionOf(await openAs(0, merchant, link, payer))).toBe(id);
      expectProblem(await openAs(0, merchant, link, other), 410, 'PAYMENT_LINK_EXPIRED');
    },
  );

  test('unconfirmed coins hold a limited link for 30 minutes, and replacing them does not restart the time', async () => {
    const merchant = await app(0).addMerchant();
    const { sk_test } = merchant.keys;
    const link = await addLink(app(0), merchant);
    const payer = newCustomer();
    const id = transactionOf(await openAs(0, merchant, link, payer));
    await app(0).simulate(sk_test, id, 'pay');
    await app(0).simulate(sk_test, id, 'advance_clock', { seconds: 20 * 60 });
    expectProblem(await openAs(0, merchant, link), 409, 'PAYMENT_LINK_PAID');
    await app(0).simulate(sk_test, id, 'double_spend');
    await app(0).simulate(sk_test, id, 'pay');
    expectProblem(await openAs(0, merchant, link), 409, 'PAYMENT_LINK_PAID');
    await app(0).simulate(sk_test, id, 'advance_clock', { seconds: 10 * 60 });
    const other = transactionOf(await openAs(1, merchant, link));
    expect(other).not.toBe(id);
    expect(transactionOf(await openAs(1, merchant, link, payer))).toBe(id);

    await complete(0, merchant, other);
    await app(0).simulate(sk_test, id, 'confirm');
    expect(await countsOf(link)).toEqual({ uses: 1, excessUses: 1 });
  });

  test.each([
    ['nearly everything', 0.3, [409, 409, 409]],
    ['half', 0.15, [409, 409, 302]],
  ])('with %s in blocks, a limited link is held according to the rest', async (_, mined, responses) => {
    const merchant = await app(0).addMerchant();
    const { sk_test } = merchant.keys;
    const link = await addLink(app(0), merchant);
    const id = transactionOf(await openAs(0, merchant, link));
    await app(0).simulate(sk_test, id, 'pay_partial', { amount_crypto: mined });
    await app(0).simulate(sk_test, id, 'confirm');
    await app(0).simulate(sk_test, id, 'advance_clock', { seconds: 25 * 60 });
    await app(0).simulate(sk_test, id, 'pay');
    const seen: number[] = [];
    for (const minutes of [1, 20, 10]) {
      await app(0).simulate(sk_test, id, 'advance_clock', { seconds: minutes * 60 });
      seen.push((await openAs(0, merchant, link)).status);
    }
    expect(seen).toEqual(responses);
  });

  test.each([
    ['once', 1],
    ['twice', 2],
  ])(
    'a customer whose coins missed the confirmation deadline of a link that can be paid %s is led to that payment while they are unconfirmed, not asked to pay again',
    async (_, maxUses) => {
      const merchant = await app(0).addMerchant();
      const { sk_test } = merchant.keys;
      const link = await addLink(app(0), merchant, { maxUses });
      const [payer, other] = [newCustomer(), newCustomer()];
      const id = transactionOf(await openAs(0, merchant, link, payer));
      await app(0).simulate(sk_test, id, 'pay');
      const failed = await app(0).simulate(sk_test, id, 'advance_clock', { seconds: 25 * 60 * 60 });
      expect(failed).toMatchObject({ status: 'failed' });
      expect(transactionOf(await openAs(1, merchant, link, payer))).toBe(id);
      expect(transactionOf(await openAs(0, merchant, link, other))).not.toBe(id);

      const late = await app(0).simulate(sk_test, id, 'confirm');
      expect(late).toMatchObject({ status: 'expired', exception: 'paid_late' });
      expect(transactionOf(await openAs(1, merchant, link, payer))).toBe(id);
    },
  );

  test.each([
    ['a part of it was seen', ['pay_partial', 'drop_balance']],
    ['nothing was seen', ['drop_balance']],
  ] as const)(
    'a customer whose payment of a link is under review is led to it, in any coin, where %s',
    async (_, actions) => {
      const merchant = await app(0).addMerchant();
      const { sk_test } = merchant.keys;
      const link = await addLink(app(0), merchant);
      const [payer, other] = [newCustomer(), newCustomer()];
      const id = transactionOf(await openAs(0, merchant, link, payer, 'ETH'));
      for (const action of actions) await app(0).simulate(sk_test, id, action);
      for (const crypto of ['ETH', 'LTC'] as const) {
        expect(transactionOf(await openAs(1, merchant, link, payer, crypto))).toBe(id);
      }
      expect(transactionOf(await openAs(0, merchant, link, other, 'ETH'))).not.toBe(id);
    },
  );

  test('a customer whose coins missed the confirmation deadline is led to that payment after others were dismissed', async () => {
    const merchant = await app(0).addMerchant();
    const { sk_test } = merchant.keys;
    const link = await addLink(app(0), merchant, { maxUses: 2 });
    const payer = newCustomer();
    const id = transactionOf(await openAs(0, merchant, link, payer, 'ETH'));
    await app(0).simulate(sk_test, id, 'pay');
    // Ether is given up after 6 hours, while coins are still late.
    await app(0).simulate(sk_test, id, 'advance_clock', { seconds: 6 * 60 * 60 + 300 });
    expect(await app(0).simulate(sk_test, id, 'pay_late')).toMatchObject({ exception: 'paid_late' });
    await app(0).decide(id, 'merchant.dismissed');
    expect(transactionOf(await openAs(1, merchant, link, payer, 'ETH'))).toBe(id);
    for (const _ of ['late', 'in time']) await app(0).simulate(sk_test, id, 'double_spend');
    expect(transactionOf(await openAs(1, merchant, link, payer, 'ETH'))).not.toBe(id);
  });

  test('a customer whose coins missed the confirmation deadline and are gone can pay a link again', async () => {
    const merchant = await app(0).addMerchant();
    const { sk_test } = merchant.keys;
    const link = await addLink(app(0), merchant);
    const payer = newCustomer();
    const id = transactionOf(await openAs(0, merchant, link, payer));
    await app(0).simulate(sk_test, id, 'pay');
    await app(0).simulate(sk_test, id, 'advance_clock', { seconds: 25 * 60 * 60 });
    await app(0).simulate(sk_test, id, 'double_spend');
    expect(transactionOf(await openAs(1, merchant, link, payer))).not.toBe(id);
  });

  test('a payment whose coins are reverted releases the link', async () => {
    const merchant = await app(0).addMerchant();
    const link = await addLink(app(0), merchant);
    const id = transactionOf(await openAs(0, merchant, link));
    await app(0).simulate(merchant.keys.sk_test, id, 'pay');
    expectProblem(await openAs(0, merchant, link), 409, 'PAYMENT_LINK_PAID');
    await app(0).simulate(merchant.keys.sk_test, id, 'double_spend');
    transactionOf(await openAs(0, merchant, link));
  });
});

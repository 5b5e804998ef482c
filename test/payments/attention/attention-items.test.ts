import fc from 'fast-check';
import { type Kysely, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DAY_MS, type TransactionContext } from '../../../machines/index.ts';
import { type AttentionReason, attentionOf } from '../../../src/payments/attention/attention-of.ts';
import { attentionOfPayment } from '../../../src/payments/attention/list-attention.ts';
import {
  type AttentionItem,
  countAttention,
  listAttention,
  listViewVersions,
  readPaymentDetail,
  searchPayments,
  settleAttention,
} from '../../../src/payments/index.ts';
import { IS_REJECTED } from '../../../src/payments/view/view-version.ts';
import type { Database } from '../../../src/platform/db/index.ts';
import type { ActorEvent } from '../../../src/platform/engine/index.ts';
import { CLOSES_AT, DEADLINE_MS, DUE, TERMS } from '../../machines/transaction/terms.ts';
import { transactionEvents } from '../../operations/histories.ts';
import { describeDatabases, type TestDatabase } from '../../support/database/test-database.ts';
import { assertAsyncProperty } from '../../support/run/fast-check.ts';
import { level } from '../../support/run/level.ts';
import { confirmed, seen } from '../support/output-events.ts';
import { createPaymentRun, OTHER_MERCHANT, type PaymentRun } from '../support/payment-run.ts';
import { settleDeps } from '../support/settle-deps.ts';

const SCOPE = { merchantId: TERMS.merchantId, mode: TERMS.mode } as const;

let payments: PaymentRun;

describeDatabases('items that need attention', (database) => {
  beforeEach(async () => {
    payments = await createPaymentRun(database());
  });
  afterEach(() => clear(database().db));

  test('agree in the list, the count and the actors, after any events', async () => {
    await assertAsyncProperty(
      fc.asyncProperty(fc.array(transactionEvents, { minLength: 1, maxLength: 4 }), async (histories) => {
        const { db } = database();
        await clear(db);
        for (const events of histories) await payments.play(await payments.start(), events);
        const open = await wholeList(database(), false);
        expect(open.map(factOf).sort()).toEqual(await factsOfActors(db));
        expect(await countAttention(db, SCOPE)).toBe(open.length);
        expect(open.every(({ settledAt }) => settledAt === null)).toBe(true);
      }),
      { numRuns: level.runs(database().kind === 'postgres' ? 25 : 6) },
    );
  });

  test('of a failed payment list the coins that arrived afterwards', async () => {
    const { db } = database();
    const id = await payments.start();
    await payments.play(id, [seen('a', 1, DUE), CLOSED, DEADLINE_PASSED, seen('b', 2, 7n, CLOSES_AT + DAY_MS)]);
    expect(await storedReasons(db)).toEqual([`${id} coins_on_closed 7`]);
  });

  test('of a completed payment whose coins left the chain: lists and pages say that they are gone, and whether it is settled', async () => {
    const { db } = database();
    const id = await payments.start();
    await payments.play(id, [seen('a', 1, DUE), confirmed('a', 2, DUE)]);
    expect([await storedReasons(db), await shownLoss(id)]).toEqual([[], [null]]);
    await payments.play(id, [{ ...seen('a', 3, DUE), type: 'chain.output_dropped', reason: 'reorged' }]);
    expect([await storedReasons(db), await shownLoss(id)]).toEqual([[`${id} coins_lost ${DUE}`], ['gone']]);
    const [item] = await wholeList(database(), false);
    if (item === undefined) throw new Error('nothing is open');
    await settle(db, item, 'paid again');
    expect([await countAttention(db, SCOPE), await shownLoss(id)]).toEqual([0, ['gone_settled']]);
    await payments.play(id, [seen('a', 4, DUE)]);
    expect([await countAttention(db, SCOPE), await shownLoss(id)]).toEqual([0, ['unconfirmed']]);
    // The shop has been paid twice.
    await payments.play(id, [confirmed('a', 5, DUE)]);
    expect([await storedReasons(db), await shownLoss(id)]).toEqual([[`${id} coins_on_closed ${DUE}`], [null]]);
    expect(await surplus(id)).toBe(`open ${DUE}`);
    const lose = (order: number): ActorEvent => {
      return { ...seen('a', order, DUE), type: 'chain.output_dropped', reason: 'reorged' };
    };
    // Lost again, it has what was settled.
    await payments.play(id, [lose(6)]);
    expect([await storedReasons(db), await shownLoss(id)]).toEqual([[], ['gone_settled']]);
    await payments.play(id, [confirmed('a', 7, DUE)]);
    await settleOnly();
    expect([await storedReasons(db), await shownLoss(id)]).toEqual([[], [null]]);
    // Sent back and lost after that, it has nothing.
    await payments.play(id, [lose(8)]);
    expect([await storedReasons(db), await shownLoss(id)]).toEqual([[`${id} coins_lost ${DUE}`], ['gone']]);
  });

  test.each([
    ['of the coins that paid', 'a', DUE],
    ['of the coins that were sent back', 'b', DUE],
  ])('of a completed payment whose surplus was sent back name the loss %s', async (_, name, lost) => {
    const { db } = database();
    const id = await payments.start();
    await payments.play(id, [confirmed('a', 1, DUE), confirmed('b', 2, DUE)]);
    expect([await storedReasons(db), await surplus(id)]).toEqual([[`${id} overpaid ${DUE}`], `open ${DUE}`]);
    await settleOnly();
    expect([await storedReasons(db), await surplus(id)]).toEqual([[], `settled ${DUE}`]);
    await payments.play(id, [{ ...seen(name, 3, DUE), type: 'chain.output_dropped', reason: 'reorged' }]);
    expect([await storedReasons(db), await shownLoss(id), await surplus(id)]).toEqual([
      [`${id} coins_lost ${lost}`],
      ['gone'],
      'none',
    ]);
  });

  test('of a payment accepted with less do not name a loss within its share of the tolerance', async () => {
    const { db } = database();
    const id = await payments.start();
    const accepted = { type: 'merchant.marked_paid', by: 'usr_a' } as const;
    const dust = BigInt(TERMS.toleranceBaseUnits) / 2n;
    const late = [confirmed('a', 1, DUE / 2n, CLOSES_AT + 1), seen('dust', 2, dust, CLOSES_AT + 1)];
    await payments.play(id, [CLOSED, ...late, accepted]);
    const gone = (order: number, name: string, amount: bigint): ActorEvent => {
      return { ...seen(name, order, amount), type: 'chain.output_dropped', reason: 'evicted' };
    };
    await payments.play(id, [gone(3, 'dust', dust)]);
    expect([await storedReasons(db), await shownLoss(id)]).toEqual([[], [null]]);
    await payments.play(id, [gone(4, 'a', DUE / 2n)]);
    expect([await storedReasons(db), await shownLoss(id)]).toEqual([[`${id} coins_lost ${DUE / 2n + dust}`], ['gone']]);
  });

  test('of a payment accepted with less whose later coins were sent back name the loss of the accepted ones', async () => {
    const { db } = database();
    const half = DUE / 2n;
    const id = await payments.start();
    const accepted = { type: 'merchant.marked_paid', by: 'usr_a' } as const;
    await payments.play(id, [CLOSED, confirmed('a', 1, half, CLOSES_AT + 1), accepted, confirmed('b', 2, 60_000n)]);
    expect([await storedReasons(db), await surplus(id)]).toEqual([[`${id} coins_on_closed 60000`], 'open 10000']);
    await settleOnly();
    expect(await surplus(id)).toBe('settled 10000');
    await payments.play(id, [{ ...seen('a', 3, half), type: 'chain.output_dropped', reason: 'reorged' }]);
    expect(await storedReasons(db)).toEqual([`${id} coins_lost ${half}`]);
  });

  test('of coins that are gone stay settled while other things happen, and open for what goes afterwards', async () => {
    const { db } = database();
    const half = DUE / 2n;
    const id = await payments.start();
    const dropped = (name: string, order: number): ActorEvent => {
      return { ...seen(name, order, half), type: 'chain.output_dropped', reason: 'reorged' };
    };
    await payments.play(id, [confirmed('a', 1, half), confirmed('b', 2, half), dropped('a', 3)]);
    const [item] = await wholeList(database(), false);
    if (item === undefined) throw new Error('nothing is open');
    await settle(db, item, 'written off');
    await payments.play(id, [seen('dust', 4, 1n), mined('dust', 5, 1n)]);
    expect([await countAttention(db, SCOPE), await shownLoss(id)]).toEqual([0, ['gone_settled']]);
    await payments.play(id, [dropped('b', 6)]);
    expect([await storedReasons(db), await shownLoss(id)]).toEqual([[`${id} coins_lost ${half - 1n}`], ['gone']]);
    // What is left of the loss was settled.
    await payments.play(id, [seen('b', 7, half), seen('dust', 8, 1n)]);
    expect([await countAttention(db, SCOPE), await shownLoss(id)]).toEqual([0, ['gone_settled']]);
  });

  /** In the list, on the payment's page and on the customer's page, which should agree. */
  async function shownLoss(transactionId: string): Promise<(string | null)[]> {
    const { db } = database();
    const { payments: listed } = await searchPayments({ db }, SCOPE, { search: {}, cursor: null, limit: 10 });
    const { merchantId } = SCOPE;
    const detail = await readPaymentDetail({ db, publicUrl: 'https://pay.example' }, { merchantId, transactionId });
    const [version] = await listViewVersions(db, [transactionId]);
    const found = listed.find(({ id }) => id === transactionId);
    return [...new Set([found, detail, version].map((shown) => shown?.loss ?? null))];
  }

  test('about an excess: both pages say what is open and what is settled, unconfirmed coins excluded', async () => {
    const { db } = database();
    const id = await payments.start();
    const dropped = (name: string, order: number, amount: bigint): ActorEvent => {
      return { ...seen(name, order, amount), type: 'chain.output_dropped', reason: 'reorged' };
    };
    await payments.play(id, [seen('a', 1, DUE), confirmed('a', 2, DUE)]);
    expect(await surplus(id)).toBe('none');
    await payments.play(id, [confirmed('b', 3, 40_000n)]);
    expect(await surplus(id)).toBe('open 40000');
    await settleOnly();
    expect(await surplus(id)).toBe('settled 40000');
    await payments.play(id, [seen('c', 4, 700n)]);
    expect([await countAttention(db, SCOPE), await surplus(id)]).toEqual([0, 'settled 40000']);
    await payments.play(id, [confirmed('c', 5, 700n)]);
    expect([await countAttention(db, SCOPE), await surplus(id)]).toEqual([1, 'open 700']);
    await settleOnly();
    expect(await surplus(id)).toBe('settled 40700');
    // An item that closes because its coins are gone leaves settled what was settled.
    await payments.play(id, [confirmed('d', 6, 9n), dropped('d', 7, 9n)]);
    expect([await countAttention(db, SCOPE), await surplus(id)]).toEqual([0, 'settled 40700']);
  });

  test('about an excess within the tolerance do not exist, so no page asks about it', async () => {
    const id = await payments.start();
    await payments.play(id, [confirmed('a', 1, DUE + BigInt(TERMS.toleranceBaseUnits))]);
    expect(await surplus(id)).toBe('none');
  });

  test('about an excess that closed without a user are not settled when its coins return unconfirmed', async () => {
    const { db } = database();
    const id = await payments.start();
    const excess = 40_000n;
    await payments.play(id, [confirmed('a', 1, DUE), confirmed('b', 2, excess)]);
    await payments.play(id, [{ ...seen('b', 3, excess), type: 'chain.output_dropped', reason: 'reorged' }]);
    await payments.play(id, [seen('b', 4, excess)]);
    expect([await countAttention(db, SCOPE), await surplus(id)]).toEqual([0, 'none']);
  });

  test('about all coins of an expired payment: settled for its customer too, until more arrives', async () => {
    const { db } = database();
    const id = await payments.start();
    await payments.play(id, [confirmed('a', 1, DUE / 2n), CLOSED]);
    expect(await surplus(id)).toBe(`open ${DUE / 2n}`);
    await settleOnly();
    expect(await surplus(id)).toBe(`settled ${DUE / 2n}`);
    await payments.play(id, [confirmed('b', 3, 7n)]);
    expect([await countAttention(db, SCOPE), await surplus(id)]).toEqual([1, 'open 7']);
    await settleOnly();
    expect(await surplus(id)).toBe(`settled ${DUE / 2n + 7n}`);
  });

  test('about late coins name to the customer only these, and to both whether they missed the deadline', async () => {
    const missed = await payments.start();
    const rest = DUE / 4n;
    await payments.play(missed, [confirmed('a', 1, DUE - rest), seen('b', 2, rest), CLOSED, DEADLINE_PASSED]);
    await payments.play(missed, [confirmed('b', 3, rest)]);
    expect([await surplus(missed), await missedDeadline(missed)]).toEqual([`open ${rest}`, 'all']);
    const late = await payments.start();
    await payments.play(late, [confirmed('a', 1, DUE - rest), CLOSED, confirmed('b', 3, rest, CLOSES_AT + 1)]);
    expect([await surplus(late), await missedDeadline(late)]).toEqual([`open ${rest}`, 'none']);
    // Taken back and sent again after the deadline: in a block, yet not in time.
    const again = await payments.start();
    const first: ActorEvent = { ...seen('a', 1, DUE), spends: ['x:0'] };
    const lost: ActorEvent = { ...first, type: 'chain.output_dropped', order: 2, reason: 'replaced' };
    const settled: ActorEvent = { type: 'timer.loss_settled', dueAt: Number.MAX_SAFE_INTEGER };
    const second = { ...confirmed('b', 4, DUE, CLOSES_AT + DEADLINE_MS + 1), spends: ['x:0'] };
    await payments.play(again, [first, CLOSED, lost, settled, second]);
    expect([await surplus(again), await missedDeadline(again)]).toEqual([`open ${DUE}`, 'none']);
    const both = await payments.start();
    await payments.play(both, [seen('a', 1, DUE), CLOSED, seen('b', 2, rest, CLOSES_AT + 1), DEADLINE_PASSED]);
    await payments.play(both, [confirmed('b', 3, rest, CLOSES_AT + 1), confirmed('a', 4, DUE)]);
    expect(await missedDeadline(both)).toBe('some');
  });

  async function missedDeadline(transactionId: string): Promise<string | undefined> {
    const { db } = database();
    const [version] = await listViewVersions(db, [transactionId]);
    const items = await attentionOfPayment(db, transactionId);
    const late = items.find(({ kind }) => kind === 'paid_late');
    expect(late?.missedDeadline).toBe(version?.surplus?.missedDeadline);
    return late?.missedDeadline;
  }

  async function settleOnly(): Promise<void> {
    const [item] = await wholeList(database(), false);
    if (item === undefined) throw new Error('nothing is open');
    await settle(database().db, item, 'refunded');
  }

  /** `open`, `settled` or none, on the customer's page; the merchant's page must agree. */
  async function surplus(transactionId: string): Promise<string> {
    const { db } = database();
    const { merchantId } = SCOPE;
    const detail = await readPaymentDetail({ db, publicUrl: 'https://pay.example' }, { merchantId, transactionId });
    const [version] = await listViewVersions(db, [transactionId]);
    const found = version?.surplus ?? null;
    expect(detail?.isExcessSettled).toBe(found?.isSettled === true);
    return found === null ? 'none' : `${found.isSettled ? 'settled' : 'open'} ${found.baseUnits}`;
  }

  test('about coins of an expired payment: settling declines them, with the note, and only once', async () => {
    const { db } = database();
    const id = await payments.start();
    await payments.play(id, [confirmed('a', 1, DUE / 2n), CLOSED]);
    const [item] = await wholeList(database(), false);
    if (item === undefined) throw new Error('nothing is open');
    await settle(db, item, 'refunded');
    await expect(settle(db, item, 'refunded')).rejects.toMatchObject({ code: 'INVALID_STATE' });
    expect(await wholeList(database(), true)).toMatchObject([
      { kind: 'underpaid', settledBy: 'usr_1', note: 'refunded', amountCrypto: item.amountCrypto },
    ]);
    const page = { merchantId: SCOPE.merchantId, transactionId: id };
    const detail = await readPaymentDetail({ db, publicUrl: 'https://pay.example' }, page);
    expect(detail?.splits.map(({ isDeclined }) => isDeclined)).toEqual([true]);
    const audited = await db.selectFrom('audit_entry').select(['what', 'who', 'details']).execute();
    const details = { kind: 'underpaid', note: 'refunded', amountCrypto: item.amountCrypto, crypto: 'LTC' };
    expect(audited).toEqual([{ what: 'attention.settled', who: 'user usr_1', details }]);
    // The whole amount arrives late: the half that was refunded is no part of it.
    await payments.play(id, [confirmed('b', 3, DUE, CLOSES_AT + 1)]);
    expect(await storedReasons(db)).toEqual([`${id} paid_late ${DUE}`]);
    await payments.play(id, [{ type: 'merchant.marked_paid', by: 'usr_1' }]);
    expect([await storedReasons(db), await surplus(id)]).toEqual([[], 'none']);
  });

  test('about coins of an expired payment are not settled when more arrive in the same moment', async () => {
    const { db } = database();
    const id = await payments.start();
    await payments.play(id, [confirmed('a', 1, DUE / 2n), CLOSED]);
    const [item] = await wholeList(database(), false);
    if (item === undefined) throw new Error('nothing is open');
    const { change } = settleDeps(db, payments.engine, CLOSES_AT);
    const deliverIf: PaymentRun['engine']['deliverIf'] = async (command) => {
      await payments.play(id, [confirmed('b', 3, 7n)]);
      return payments.engine.deliverIf(command);
    };
    const request = { merchantId: TERMS.merchantId, ...item, note: 'refunded', by: 'usr_1' };
    await expect(settleAttention({ change, engine: { deliverIf } }, request)).rejects.toMatchObject({
      code: 'INVALID_STATE',
      field: 'amountCrypto',
    });
    expect(await storedReasons(db)).toEqual([`${id} underpaid ${DUE / 2n + 7n}`]);
  });

  describe('of an expired payment with two of them:', () => {
    const VERY_LATE = CLOSES_AT + DAY_MS;
    const lateCoin = (id: string, order: number, amount: bigint) => confirmed(id, order, amount, VERY_LATE);

    async function startWithTwo(): Promise<{ id: string; underpaid: AttentionItem; onClosed: AttentionItem }> {
      const id = await payments.start();
      await payments.play(id, [confirmed('a', 1, DUE / 2n), CLOSED, lateCoin('c', 2, 7n)]);
      const items = await attentionOfPayment(database().db, id);
      const [underpaid, onClosed] = ['underpaid', 'coins_on_closed'].map((kind) =>
        items.find((item) => item.kind === kind),
      );
      if (underpaid === undefined || onClosed === undefined) throw new Error('both should be open');
      return { id, underpaid, onClosed };
    }

    /** Settles an item with these events right behind it, in the same batch. */
    async function settleWith(item: AttentionItem, events: readonly ActorEvent[]): Promise<void> {
      const { change } = settleDeps(database().db, payments.engine, CLOSES_AT);
      const deliverIf: PaymentRun['engine']['deliverIf'] = async (command) => {
        const settled = payments.engine.deliverIf(command);
        await Promise.all([settled, payments.play(item.transactionId, events)]);
        return settled;
      };
      const request = { merchantId: TERMS.merchantId, ...item, note: 'refunded', by: 'usr_1' };
      await settleAttention({ change, engine: { deliverIf } }, request);
    }

    const audits = () =>
      database().db.selectFrom('audit_entry').select('details').where('what', '=', 'attention.settled').execute();

    test('settling one leaves the other to its own fate', async () => {
      const { id, underpaid } = await startWithTwo();
      const gone: ActorEvent = { ...lateCoin('c', 9, 7n), type: 'chain.output_dropped', reason: 'reorged' };
      await settleWith(underpaid, [gone]);
      expect(await wholeList(database(), true)).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ kind: 'underpaid', settledBy: 'usr_1', note: 'refunded' }),
          expect.objectContaining({ kind: 'coins_on_closed', settledBy: null, note: null }),
        ]),
      );
      expect(await audits()).toHaveLength(1);
      await payments.play(id, [lateCoin('c', 10, 7n)]);
      expect(await storedReasons(database().db)).toEqual([`${id} coins_on_closed 7`]);
    });

    test('settling one is recorded although more coins arrive at once, which open it again', async () => {
      const { id, underpaid, onClosed } = await startWithTwo();
      await settle(database().db, underpaid, 'kept');
      await settleWith(onClosed, [lateCoin('d', 9, 5n)]);
      expect(await storedReasons(database().db)).toEqual([`${id} coins_on_closed 5`]);
      expect((await audits()).map(({ details }) => details)).toMatchObject([
        { kind: 'underpaid', note: 'kept' },
        { kind: 'coins_on_closed', note: 'refunded' },
      ]);
    });

    test('two users can settle one each at the same time', async () => {
      const { underpaid, onClosed } = await startWithTwo();
      const { db } = database();
      await Promise.all([settle(db, underpaid, 'refunded'), settle(db, onClosed, 'kept')]);
      expect(await countAttention(db, SCOPE)).toBe(0);
      await expect(settle(db, onClosed, 'kept')).rejects.toThrow('This item is closed');
    });
  });

  test('about dismissed coins are not called settled with others that were', async () => {
    const id = await payments.start();
    await payments.play(id, [confirmed('a', 1, DUE / 2n), CLOSED, confirmed('l', 2, DUE, CLOSES_AT + 1)]);
    await payments.play(id, [{ type: 'merchant.dismissed', by: 'usr_1' }]);
    await settleOnly();
    expect(await surplus(id)).toBe('none');
  });

  test('about coins beyond less than was due name to the customer only what exceeds the amount due', async () => {
    const id = await payments.start();
    const part = (DUE * 6n) / 10n;
    await payments.play(id, [CLOSED, confirmed('a', 1, part, CLOSES_AT + 1)]);
    await payments.play(id, [{ type: 'merchant.marked_paid', by: 'usr_1' }, confirmed('b', 2, DUE / 10n)]);
    expect([await storedReasons(database().db), await surplus(id)]).toEqual([
      [`${id} coins_on_closed ${DUE / 10n}`],
      'none',
    ]);
    await payments.play(id, [confirmed('c', 3, DUE)]);
    expect(await surplus(id)).toBe(`open ${part + DUE / 10n}`);
  });

  test.each([
    ['rejected', { type: 'merchant.rejected', by: 'usr_1' } as const, true],
    ['ended by its deadline', DEADLINE_PASSED, false],
  ])('tell its customer whether a failed payment was rejected: %s', async (_, end, isRejected) => {
    const { db } = database();
    const terms = isRejected ? { crypto: 'ETH', network: 'ethereum-regtest' } : {};
    const id = await payments.start(terms as Parameters<PaymentRun['start']>[0]);
    const dropped: ActorEvent = { type: 'chain.balance_dropped', missingBaseUnits: '40' };
    const before = isRejected ? [dropped] : [confirmed('a', 1, DUE / 2n), seen('b', 2, DUE / 2n), CLOSED];
    await payments.play(id, before);
    await payments.play(id, [end]);
    if (!isRejected) await settleOnly();
    const { rows } = await sql<{ status: string; isRejected: boolean }>`
      select status, ${IS_REJECTED} as "isRejected" from transaction where id = ${id}`.execute(db);
    expect(rows).toEqual([{ status: 'failed', isRejected }]);
  });

  test('about coins of an expired payment that is no longer watched are settled as a note only', async () => {
    const { db } = database();
    const id = await payments.start();
    const ended: ActorEvent = { type: 'timer.monitoring_ended', dueAt: CLOSES_AT + 31 * DAY_MS };
    await payments.play(id, [confirmed('a', 1, DUE / 2n), CLOSED, ended]);
    await settleOnly();
    expect(await wholeList(database(), true)).toMatchObject([{ kind: 'underpaid', note: 'refunded' }]);
    expect(await countAttention(db, SCOPE)).toBe(0);
  });

  test('that a user resolved stay resolved until there are other coins', async () => {
    const { db } = database();
    const id = await payments.start();
    await payments.play(id, [seen('a', 1, 400n), CLOSED]);
    const [item] = await wholeList(database(), false);
    if (item === undefined) throw new Error('nothing is open');
    await settle(db, item, 'refunded');
    expect(await countAttention(db, SCOPE)).toBe(0);
    await payments.play(id, [seen('a', 2, 400n), confirmed('a', 3, 400n)]);
    expect(await wholeList(database(), true)).toMatchObject([
      { kind: 'underpaid', settledBy: 'usr_1', note: 'refunded' },
    ]);
    await payments.play(id, [seen('b', 4, 1n)]);
    expect(await wholeList(database(), false)).toMatchObject([
      { kind: 'underpaid', amountCrypto: '0.00000001', settledBy: null, note: 'refunded' },
    ]);
    const audited = await db.selectFrom('audit_entry').select(['what', 'who', 'details']).execute();
    expect(audited).toMatchObject([{ what: 'attention.settled', who: 'user usr_1', details: { note: 'refunded' } }]);
  });

  test('that were settled stay so when their sender pays a higher fee, or a reorganisation moves them', async () => {
    const { db } = database();
    const sender = { spends: ['coin:0'] };
    const utxo = await payments.start();
    await payments.play(utxo, [{ ...seen('a', 1, 400n), ...sender }, CLOSED]);
    const token = await payments.start({ crypto: 'USDT', network: 'ethereum-mainnet' });
    const transfer = (log: number, order: number): ActorEvent => ({ ...mined('t', order, 400n), outputId: `t:${log}` });
    await payments.play(token, [transfer(5, 1), CLOSED]);
    for (const item of await wholeList(database(), false)) await settle(db, item, 'refunded');
    await payments.play(utxo, [
      { ...seen('b', 2, 400n, CLOSES_AT + 9), ...sender },
      { ...seen('a', 3, 400n), ...sender, type: 'chain.output_dropped', reason: 'replaced' },
    ]);
    await payments.play(token, [
      transfer(6, 2),
      { ...seen('t', 3, 400n), outputId: 't:5', type: 'chain.output_dropped', reason: 'reorged' },
    ]);
    expect(await wholeList(database(), false)).toEqual([]);
    const settled = await wholeList(database(), true);
    expect(settled.map(({ kind, settledBy, note }) => [kind, settledBy, note])).toEqual([
      ['underpaid', 'usr_1', 'refunded'],
      ['underpaid', 'usr_1', 'refunded'],
    ]);
  });

  test('that were settled show only what comes on top, and close again without it', async () => {
    const { db } = database();
    const id = await payments.start();
    const settleIt = async (amountCrypto: string) => {
      const [item] = await wholeList(database(), false);
      expect(item).toMatchObject({ kind: 'overpaid', amountCrypto });
      if (item !== undefined) await settle(db, item, `sent back ${amountCrypto}`);
    };
    await payments.play(id, [confirmed('a', 1, DUE + 40_000n)]);
    await settleIt('0.0004');
    await payments.play(id, [confirmed('b', 2, 1_000n)]);
    await settleIt('0.00001');
    await payments.play(id, [confirmed('c', 3, 700n)]);
    expect(await wholeList(database(), false)).toMatchObject([{ amountCrypto: '0.000007', note: 'sent back 0.00001' }]);
    await payments.play(id, [{ ...seen('c', 4, 700n), type: 'chain.output_dropped', reason: 'reorged' }]);
    expect(await countAttention(db, SCOPE)).toBe(0);
    expect(await wholeList(database(), true)).toMatchObject([{ settledBy: null, note: 'sent back 0.00001' }]);
  });

  test('that wait for a decision close with it and name the user', async () => {
    const id = await payments.start();
    await payments.play(id, [CLOSED, seen('a', 1, DUE, CLOSES_AT + 1)]);
    await payments.play(id, [{ type: 'merchant.dismissed', by: 'usr_7', reason: 'sold out' }]);
    expect(await wholeList(database(), true)).toMatchObject([
      { kind: 'paid_late', settledBy: 'usr_7', note: 'sold out' },
    ]);
    await payments.play(id, [seen('b', 2, 5n, CLOSES_AT + 2)]);
    expect(await wholeList(database(), false)).toMatchObject([{ kind: 'paid_late', amountCrypto: '0.00000005' }]);
    await payments.play(id, [{ ...seen('b', 3, 5n, CLOSES_AT + 2), type: 'chain.output_dropped', reason: 'evicted' }]);
    expect(await wholeList(database(), true)).toMatchObject([{ kind: 'paid_late', settledBy: null, note: null }]);
  });

  test('cannot be resolved by another merchant, twice, unseen, or instead of a decision', async () => {
    const { db } = database();
    const [first, second] = [await payments.start(), await payments.start()];
    await payments.play(first, [seen('a', 1, 400n), CLOSED]);
    await payments.play(second, [CLOSED, seen('a', 1, DUE, CLOSES_AT + 1)]);
    const items = await wholeList(database(), false);
    const [underpaid, late] = ['underpaid', 'paid_late'].map((kind) => items.find((item) => item.kind === kind));
    if (underpaid === undefined || late === undefined) throw new Error('two should be open');
    await expect(settle(db, underpaid, 'x', { merchantId: OTHER_MERCHANT })).rejects.toMatchObject({
      code: 'ATTENTION_NOT_FOUND',
    });
    await expect(settle(db, underpaid, 'x', { amountCrypto: '0.000003' })).rejects.toMatchObject({
      code: 'INVALID_STATE',
    });
    // The coins are replaced by others with the same sum.
    await payments.play(first, [
      { ...seen('a', 2, 400n), type: 'chain.output_dropped', reason: 'replaced' },
      seen('b', 3, 400n),
    ]);
    await expect(settle(db, underpaid, 'x')).rejects.toMatchObject({ code: 'INVALID_STATE', field: 'revision' });
    const [shown] = await attentionOfPayment(db, first);
    if (shown === undefined) throw new Error('it should be open');
    for (const note of ['', '   ', 'x'.repeat(501), 'half \ud800']) {
      await expect(settle(db, shown, note)).rejects.toMatchObject({ code: 'INVALID_REQUEST', field: 'note' });
    }
    await expect(settle(db, late, 'x')).rejects.toMatchObject({ code: 'INVALID_STATE' });
    const both = await Promise.allSettled([settle(db, shown, 'one'), settle(db, shown, 'other')]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await countAttention(db, SCOPE)).toBe(1);
  });

  test('are returned in pages that together are the list, for each kind, merchant and mode', async () => {
    const { db } = database();
    for (let count = 0; count < 5; count += 1) await payments.play(await payments.start(), [seen('a', 1, 7n), CLOSED]);
    await payments.play(await payments.start(), [CLOSED, seen('a', 1, DUE, CLOSES_AT + 1)]);
    await payments.play(await payments.start({ merchantId: OTHER_MERCHANT }), [seen('a', 1, 7n), CLOSED]);
    await payments.play(await payments.start({ mode: 'live' }), [seen('a', 1, 7n), CLOSED]);
    expect(await wholeList(database(), false)).toHaveLength(6);
    const kinds = async (kind: AttentionItem['kind']) =>
      (await listAttention(db, SCOPE, { kind, isSettled: false, limit: 50 })).items.length;
    expect([await kinds('underpaid'), await kinds('paid_late'), await kinds('overpaid')]).toEqual([5, 1, 0]);
    expect(await countAttention(db, { ...SCOPE, mode: 'live' })).toBe(1);
    for (const cursor of ['', '1', '1.x', '1.x.y', 'x.a.underpaid', `1.${'a'.repeat(65)}.underpaid`]) {
      await expect(listAttention(db, SCOPE, { isSettled: false, cursor, limit: 2 })).rejects.toMatchObject({
        code: 'INVALID_CURSOR',
        field: 'cursor',
      });
    }
  });
});

// Helpers

const CLOSED: ActorEvent = { type: 'timer.window_closed', dueAt: CLOSES_AT };
const DEADLINE_PASSED: ActorEvent = { type: 'timer.confirmation_deadline_passed', dueAt: CLOSES_AT - 1 + DEADLINE_MS };

function mined(id: string, order: number, amount: bigint): ActorEvent {
  return { ...seen(id, order, amount), type: 'chain.output_mined', height: 101, blockHash: `main-${order}` };
}

/** Read in pages of two, so that every list also tests paging. */
async function wholeList({ db }: TestDatabase, isSettled: boolean): Promise<AttentionItem[]> {
  const items: AttentionItem[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < 50; page += 1) {
    const got = await listAttention(db, SCOPE, { isSettled, cursor, limit: 2 });
    items.push(...got.items);
    if (got.cursor === null) return items;
    cursor = got.cursor;
  }
  throw new Error('the list does not end');
}

async function settle(
  db: Kysely<Database>,
  { transactionId, kind, amountCrypto, revision }: AttentionItem,
  note: string,
  changes: { readonly merchantId?: string; readonly amountCrypto?: string; readonly revision?: number } = {},
): Promise<void> {
  const seen = { transactionId, kind, amountCrypto, revision };
  const request = { merchantId: TERMS.merchantId, ...seen, note, by: 'usr_1', ...changes };
  await settleAttention(settleDeps(db, payments.engine, CLOSES_AT), request);
}

function factOf({ transactionId, kind, amountCrypto }: AttentionItem): string {
  return `${transactionId} ${kind} ${BigInt(Math.round(Number(amountCrypto) * 1e8))}`;
}

async function storedReasons(db: Kysely<Database>): Promise<string[]> {
  const rows = await db.selectFrom('attention_item').selectAll().where('settled_at', 'is', null).execute();
  return rows.map((row) => `${row.transaction_id} ${row.kind} ${row.base_units}`);
}

/** The same, directly from the actors' snapshots. */
async function factsOfActors(db: Kysely<Database>): Promise<string[]> {
  const actors = await db.selectFrom('actor').select(['id', 'state', 'snapshot']).execute();
  const named = ({ kind, baseUnits }: AttentionReason) => `${kind} ${baseUnits}`;
  return actors
    .flatMap(({ id, state, snapshot }) =>
      attentionOf(state, snapshot.context as TransactionContext).map((reason) => `${id} ${named(reason)}`),
    )
    .sort();
}

async function clear(db: Kysely<Database>): Promise<void> {
  for (const table of [
    'attention_item',
    'transaction_status',
    'transaction_terms',
    'payment',
    'webhook_event',
    'audit_entry',
    'timer',
    'actor',
    'journal_entry',
  ]) {
    await sql`delete from ${sql.table(table)}`.execute(db);
  }
}

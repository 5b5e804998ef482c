import { beforeEach, expect, test } from 'vitest';
import type { Observation } from '../../../src/chains/index.ts';
import { attentionOfPayment } from '../../../src/payments/attention/list-attention.ts';
import { readPaymentDetail } from '../../../src/payments/detail/read-payment.ts';
import { type AttentionItem, settleAttention } from '../../../src/payments/index.ts';
import { reclaimUnassigned } from '../../../src/payments/unassigned/reclaim-unassigned.ts';
import type { Engine, ObservationCommand } from '../../../src/platform/engine/index.ts';
import { describeDatabases } from '../../support/database/test-database.ts';
import { level } from '../../support/run/level.ts';
import { settleDeps } from '../support/settle-deps.ts';
import {
  createRecordingBus,
  inBlock,
  LITECOIN,
  later,
  newWallet,
  observe,
  openSink,
  type StartedPayment,
  startEngine,
  startPayment,
  TERMS,
} from './sink-support.ts';

/** Number of outputs a payment accepts; see docs/merchants/payment-rules.md. */
const MOST = 100;
const DUST = 546n;

describeDatabases('outputs beyond a hundred', (database) => {
  let bus: ReturnType<typeof createRecordingBus>;
  let sink: ReturnType<typeof openSink>;
  let engine: Engine;
  let payment: StartedPayment;
  const db = () => database().db;
  beforeEach(async () => {
    bus = createRecordingBus();
    sink = openSink({ db: db(), bus });
    engine = startEngine(db());
    const derivationKeyId = await newWallet(db(), LITECOIN);
    payment = await startPayment(db(), engine, { derivationKeyId, network: LITECOIN, crypto: 'LTC' });
  });

  const dust = (): Observation => observe({ watchKey: payment.watchKey, network: LITECOIN, amountBaseUnits: DUST });
  /** Delivers the messages sent since then to the payment. */
  let handed = 0;
  beforeEach(() => {
    handed = 0;
  });
  const hand = async () => {
    await Promise.all(bus.taken.slice(handed).map(({ data }) => engine.deliver(data as ObservationCommand)));
    handed = bus.taken.length;
  };
  const taken = () =>
    db()
      .selectFrom('payment')
      .select(['amount_base_units', 'presence'])
      .where('transaction_id', '=', payment.transactionId)
      .execute();
  const sumTaken = async () => {
    const live = (await taken()).filter(({ presence }) => presence !== 'gone');
    return live.reduce((sum, each) => sum + BigInt(each.amount_base_units), 0n);
  };
  const unassigned = () =>
    db()
      .selectFrom('unassigned_payment')
      .select(['output_id', 'reason', 'status'])
      .where('transaction_id', '=', payment.transactionId)
      .orderBy('output_id')
      .execute();
  const item = () =>
    db()
      .selectFrom('attention_item')
      .select(['kind', 'base_units', 'settled_at', 'settled_by', 'note'])
      .where('transaction_id', '=', payment.transactionId)
      .executeTakeFirst();
  const actor = () =>
    db()
      .selectFrom('actor')
      .select(['sequence', 'snapshot'])
      .where('id', '=', payment.transactionId)
      .executeTakeFirstOrThrow();

  test('rule 10: are recorded and wait for the merchant, and the payment loses nothing', async () => {
    const polls = level.runs(100);
    const perPoll = 1_000 / polls;
    const sizes: number[] = [];
    for (let poll = 0; poll < polls; poll += 1) {
      await sink(Array.from({ length: perPoll }, dust));
      await hand();
      sizes.push(JSON.stringify((await actor()).snapshot).length);
    }
    expect((await actor()).sequence).toBeLessThanOrEqual(MOST + 1);
    // However many more arrive, the fold does not grow.
    expect(new Set(sizes.slice(Math.ceil(MOST / perPoll))).size).toBe(1);
    const recorded = await unassigned();
    expect(recorded).toHaveLength(1_000 - MOST);
    expect(new Set(recorded.map(({ reason }) => reason))).toEqual(new Set(['too_many_outputs']));
    expect(await item()).toMatchObject({ kind: 'unassigned_coins', base_units: DUST * 900n, settled_at: null });
    const alerts = await db()
      .selectFrom('operator_alert')
      .select('alert')
      .where('actor_id', '=', payment.transactionId)
      .execute();
    expect(alerts).toEqual([]);
  });

  test('leave room for each that is a thousandth or a hundredth of the amount due', async () => {
    await sink(Array.from({ length: MOST + 1 }, dust));
    const due = BigInt(TERMS.dueBaseUnits);
    const larger = [due / 1_000n, due / 100n, due].map((amountBaseUnits) => ({ ...dust(), amountBaseUnits }));
    await sink([...larger, { ...dust(), amountBaseUnits: due / 1_000n - 1n }]);
    await hand();
    expect(await unassigned()).toHaveLength(2);
    expect(await sumTaken()).toBe(DUST * BigInt(MOST) + due / 1_000n + due / 100n + due);
  });

  test('leave room for a small part that only later ones complete', async () => {
    const due = BigInt(TERMS.dueBaseUnits);
    await sink(Array.from({ length: MOST }, () => later(dust(), inBlock(3))));
    await sink([later({ ...dust(), amountBaseUnits: (due * 8n) / 1_000n }, inBlock(4))]);
    await sink([later({ ...dust(), amountBaseUnits: (due * 992n) / 1_000n }, inBlock(5))]);
    await hand();
    expect(await unassigned()).toEqual([]);
    expect(await sumTaken()).toBe(DUST * BigInt(MOST) + due);
  });

  test('do not count those that are gone, nor those that leave in the same poll', async () => {
    const all = Array.from({ length: MOST }, dust);
    await sink(all);
    await hand();
    const [first, ...others] = all.map((each) => later(each, { kind: 'gone', reason: 'replaced' }));
    await sink([first as Observation, dust()]);
    await hand();
    await sink(others);
    await hand();
    await sink(Array.from({ length: MOST - 1 }, dust));
    await hand();
    expect(await unassigned()).toEqual([]);
    expect(await sumTaken()).toBe(DUST * BigInt(MOST));
  });

  test('do not count those that leave before the payment has processed them', async () => {
    const all = Array.from({ length: MOST }, dust);
    await sink(all);
    const gone = all.map((each) => later(each, { kind: 'gone', reason: 'replaced' }));
    await sink([...Array.from({ length: MOST }, dust), ...gone]);
    await hand();
    expect(await unassigned()).toEqual([]);
    expect(await sumTaken()).toBe(DUST * BigInt(MOST));
  });

  test('stay bounded even if each replaces the one before', async () => {
    let last = dust();
    await sink([last]);
    for (let poll = 0; poll < 5; poll += 1) {
      const chain = [last, ...Array.from({ length: 90 }, dust)];
      last = chain.at(-1) as Observation;
      const reports = chain.slice(1).flatMap((each, index) => {
        return [later(chain[index] as Observation, { kind: 'gone', reason: 'replaced' }), each];
      });
      await sink(reports);
      await hand();
    }
    expect(await taken()).toHaveLength(200);
    expect(await unassigned()).toHaveLength(251);
    const due = BigInt(TERMS.dueBaseUnits);
    await sink([{ ...dust(), amountBaseUnits: due }]);
    await hand();
    expect(await taken()).toContainEqual({ amount_base_units: due, presence: 'mempool' });
  });

  test('leave room for the output that completes the payment, and for coins whose loss is still in progress', async () => {
    const due = BigInt(TERMS.dueBaseUnits);
    await sink([
      { ...dust(), amountBaseUnits: (due * 992n) / 1_000n },
      ...Array.from({ length: MOST }, () => ({ ...dust(), amountBaseUnits: 1n })),
    ]);
    await sink([{ ...dust(), amountBaseUnits: (due * 7n) / 1_000n }]);
    expect(await unassigned()).toEqual([]);
    let last = { ...dust(), amountBaseUnits: due / 2n };
    await sink([last]);
    for (let raise = 0; raise < MOST + 10; raise += 1) {
      const next = { ...dust(), amountBaseUnits: due / 2n };
      await sink([next, later(last, { kind: 'gone', reason: 'replaced' })]);
      last = next;
    }
    await hand();
    expect(await unassigned()).toEqual([]);
  });

  test('that are in no block keep no mined one out, however many arrive and are replaced', async () => {
    const due = BigInt(TERMS.dueBaseUnits);
    let flood: Observation[] = [];
    for (let round = 0; round < 4; round += 1) {
      const gone = flood.map((each) => later(each, { kind: 'gone', reason: 'replaced' }));
      flood = Array.from({ length: MOST }, () => ({ ...dust(), amountBaseUnits: due / 100n }));
      await sink([...flood, ...gone]);
      await hand();
    }
    const paid = { ...dust(), amountBaseUnits: due };
    await sink([paid]);
    expect(await unassigned()).toContainEqual(expect.objectContaining({ output_id: paid.outputId }));
    const before = BigInt((await item())?.base_units ?? 0);
    const mined = { ...later(paid, inBlock(7)), firstSeenAt: paid.firstSeenAt + 60_000 };
    await sink([mined]);
    await hand();
    expect(await unassigned()).not.toContainEqual(expect.objectContaining({ output_id: paid.outputId }));
    expect(BigInt((await item())?.base_units ?? 0)).toBe(before - due);
    const [split] = await db()
      .selectFrom('payment')
      .select(['presence', 'first_seen_at'])
      .where('output_id', '=', paid.outputId)
      .execute();
    expect(split).toEqual({ presence: 'block', first_seen_at: paid.firstSeenAt });
    await sink([later(mined, { kind: 'confirmed', height: 7, blockHash: 'block-7' })]);
    await hand();
    expect(await unassigned()).not.toContainEqual(expect.objectContaining({ output_id: paid.outputId }));
  });

  test('stay bounded even if they are mined', async () => {
    for (let poll = 0; poll < 5; poll += 1) {
      await sink(Array.from({ length: MOST }, () => later(dust(), inBlock(poll))));
      await hand();
    }
    expect(await taken()).toHaveLength(MOST);
    expect(await unassigned()).toHaveLength(4 * MOST);
    const due = BigInt(TERMS.dueBaseUnits);
    await sink(Array.from({ length: MOST }, () => later({ ...dust(), amountBaseUnits: due / 100n }, inBlock(8))));
    await hand();
    expect(await sumTaken()).toBe(DUST * BigInt(MOST) + (due / 100n) * BigInt(MOST));
  });

  test('are classified before any of them has reached the payment, and keep their class', async () => {
    const all = Array.from({ length: MOST + 20 }, dust);
    await sink(all.slice(0, 60));
    await sink(all.slice(60));
    await hand();
    expect(await unassigned()).toHaveLength(20);
    const mined = all.map((each) => later(each, inBlock(7)));
    await sink(mined);
    await hand();
    const paid = await db()
      .selectFrom('payment')
      .select('presence')
      .where('transaction_id', '=', payment.transactionId)
      .execute();
    expect(paid.map(({ presence }) => presence)).toEqual(Array(MOST).fill('block'));
    expect((await unassigned()).map(({ status }) => status)).toEqual(Array(20).fill('block'));
  });

  test('that vanish again no longer wait for a decision', async () => {
    const all = Array.from({ length: MOST + 2 }, dust);
    await sink(all);
    const [first, second] = all.slice(MOST) as [Observation, Observation];
    await sink([later(first, { kind: 'gone', reason: 'replaced' })]);
    expect(await item()).toMatchObject({ base_units: DUST, settled_at: null });
    await sink([later(second, { kind: 'gone', reason: 'replaced' })]);
    expect(await item()).toMatchObject({ base_units: 0n, settled_at: expect.any(Number) });
    await sink([dust()]);
    expect(await item()).toMatchObject({ base_units: DUST, settled_at: null });
  });

  /** Settles the open items, as a user of the merchant does. */
  const settle = async (shown?: AttentionItem) => {
    const { merchantId } = TERMS;
    await db()
      .insertInto('merchant')
      .values({ id: merchantId, name: merchantId, email: 'shop@example.com', plan: 'starter', settings: '{}' })
      .onConflict((found) => found.doNothing())
      .execute();
    const open = shown ?? (await attentionOfPayment(db(), payment.transactionId))[0];
    if (open === undefined) throw new Error('nothing is open');
    const request = { merchantId, by: 'usr_1', ...open, note: 'given back' };
    await settleAttention(settleDeps(db(), engine, Date.now()), request);
  };

  test('are resolved only by a user who saw these, and not others of the same sum', async () => {
    const all = Array.from({ length: MOST + 1 }, dust);
    await sink(all);
    const [shown] = await attentionOfPayment(db(), payment.transactionId);
    await sink([later(all[MOST] as Observation, { kind: 'gone', reason: 'replaced' }), dust()]);
    await expect(settle(shown)).rejects.toMatchObject({ code: 'INVALID_STATE', field: 'revision' });
    await settle();
  });

  test('that a user resolved stay resolved when they leave the chain and come back', async () => {
    const all = Array.from({ length: MOST + 1 }, dust);
    await sink(all);
    await settle();
    const extra = all[MOST] as Observation;
    for (const status of [{ kind: 'gone', reason: 'reorged' } as const, inBlock(6)]) {
      await sink([later(extra, status)]);
      expect(await item()).toMatchObject({ base_units: DUST, settled_by: 'usr_1', note: 'given back' });
    }
  });

  test('wait for the merchant whatever becomes of others that were resolved before', async () => {
    await sink(Array.from({ length: MOST }, dust));
    const settled = [{ ...dust(), amountBaseUnits: 300n }, dust()];
    await sink(settled);
    await settle();
    const fresh = { ...dust(), amountBaseUnits: 900n };
    await sink([fresh]);
    expect(await item()).toMatchObject({ base_units: 900n, settled_at: null });
    await sink(settled.map((each) => later(each, { kind: 'gone', reason: 'replaced' })));
    expect(await item()).toMatchObject({ base_units: 900n, settled_at: null });
    await sink([later(fresh, { kind: 'gone', reason: 'replaced' })]);
    expect(await item()).toMatchObject({ base_units: 0n, settled_at: expect.any(Number) });
  });

  test('that a user resolved are not reclaimed when they are mined', async () => {
    const extra = dust();
    await sink([...Array.from({ length: MOST }, dust), extra]);
    await settle();
    await sink([later(extra, inBlock(7))]);
    await hand();
    expect(await unassigned()).toMatchObject([{ output_id: extra.outputId, status: 'block' }]);
    expect(await item()).toMatchObject({ settled_by: 'usr_1' });
  });

  test('that a user resolved just before they are reclaimed are not: the watcher reports again', async () => {
    const extra = dust();
    await sink([...Array.from({ length: MOST }, dust), extra]);
    await settle();
    const { transactionId } = payment;
    const taking = db()
      .transaction()
      .execute((trx) => reclaimUnassigned(trx, [{ transactionId, observation: extra, wasRejected: true }]));
    await expect(taking).rejects.toMatchObject({ code: 'SETTLED_MEANWHILE' });
    expect(await unassigned()).toHaveLength(1);
  });

  test('are confirmed when their block is as deep as the payment requires', async () => {
    await sink(Array.from({ length: MOST }, () => later(dust(), inBlock(6))));
    await sink([later(dust(), inBlock(7))]);
    const readAt = async (height: number) => {
      await db().updateTable('chain_cursor').set({ height }).where('network', '=', LITECOIN).execute();
      const [open] = await attentionOfPayment(db(), payment.transactionId);
      const of = { merchantId: TERMS.merchantId, transactionId: payment.transactionId };
      const { unassigned: shown } = await readPaymentDetail({ db: db(), publicUrl: 'https://pay.example' }, of);
      return [open?.isConfirmed, ...shown.map(({ isConfirmed }) => isConfirmed)];
    };
    const deep = 7 + TERMS.confirmationsRequired - 1;
    expect(await readAt(deep - 1)).toEqual([false, false]);
    expect(await readAt(deep)).toEqual([true, true]);
  });
});

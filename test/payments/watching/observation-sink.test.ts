import fc from 'fast-check';
import { sql, type Transaction } from 'kysely';
import { expect, it, vi } from 'vitest';
import { DAY_MS } from '../../../machines/index.ts';
import type { Observation, OutputStatus } from '../../../src/chains/index.ts';
import { connect, type Database } from '../../../src/platform/db/index.ts';
import type { EventCommand } from '../../../src/platform/engine/index.ts';
import { newId } from '../../../src/platform/ids.ts';
import { runInNewContext, serializeContext } from '../../../src/platform/request-context.ts';
import { type AllocatedAddress, allocateAddresses } from '../../../src/wallets/index.ts';
import { deriveAhead } from '../../../src/wallets/supply/derive-ahead.ts';
import { type DerivationRange, deriveRows } from '../../../src/wallets/supply/derived-rows.ts';
import { createTestClock } from '../../support/clock.ts';
import {
  createPostgresDatabase,
  describeDatabases,
  describePostgres,
  type TestDatabase,
} from '../../support/database/test-database.ts';
import { insertTransactionRows } from '../../support/database/transaction-rows.ts';
import { POLLING } from '../../support/polling.ts';
import { assertAsyncProperty } from '../../support/run/fast-check.ts';
import { level } from '../../support/run/level.ts';
import {
  createRecordingBus,
  DUE,
  ETHEREUM,
  inBlock,
  LITECOIN,
  later,
  newWallet,
  observe,
  openSink,
  startEngine,
  startPayment,
  TERMS,
} from './sink-support.ts';

type Db = TestDatabase['db'];

describeDatabases('the observation sink', (database) => {
  const db = () => database().db;

  function open({ isForced = false } = {}) {
    const bus = createRecordingBus();
    return { bus, sink: openSink({ db: db(), bus, isForced }) };
  }

  async function freeAddresses(network: string, count = 3) {
    const key = await newWallet(db(), network);
    await deriveAhead(db(), key, { ahead: count, derive: async (range: DerivationRange) => deriveRows(range) });
    const rows = await db()
      .selectFrom('address')
      .select(['address', 'watch_key'])
      .where('derivation_key_id', '=', key)
      .orderBy('derivation_index')
      .execute();
    return { key, addresses: rows.map((row) => ({ address: row.address, watchKey: row.watch_key })) };
  }

  it('sends coins of an open payment to its actor and records no unassigned deposit', async () => {
    const { bus, sink } = open();
    const engine = startEngine(db());
    const wallet = { derivationKeyId: await newWallet(db(), LITECOIN), network: LITECOIN, crypto: 'LTC' } as const;
    const payment = await startPayment(db(), engine, wallet);
    const seen = observe({ network: LITECOIN, watchKey: payment.watchKey });
    await sink([seen]);
    expect(bus.taken.map(({ data }) => (data as EventCommand).actorId)).toEqual([payment.transactionId]);
    expect(await rowsOf(db(), seen)).toEqual([]);
  });

  it('sends unsolicited reports outside any request context, and answers in the context of the request', async () => {
    const engine = startEngine(db());
    const wallet = { derivationKeyId: await newWallet(db(), LITECOIN), network: LITECOIN, crypto: 'LTC' } as const;
    const { watchKey } = await startPayment(db(), engine, wallet);
    const carried: (string | null)[] = [];
    const bus = { ...createRecordingBus(), publish: async () => void carried.push(serializeContext()) };
    const unrequested = openSink({ db: db(), bus });
    const requested = openSink({ db: db(), bus, isForced: true });
    const requestId = newId('req');
    await runInNewContext({ requestId, merchantId: 'mer_1' }, async () => {
      const seen = observe({ network: LITECOIN, watchKey });
      await unrequested([seen]);
      // The first message is still in flight, and is sent once more.
      await unrequested([later(seen, { kind: 'mempool' })]);
      await requested([later(seen, inBlock(7))]);
    });
    expect(carried).toEqual([null, null, `${requestId} mer_1`]);
  });

  it('rule 27: records coins of another asset than the payment expects, and alerts once they are in a block', async () => {
    const { bus, sink } = open();
    const engine = startEngine(db());
    const wallet = { derivationKeyId: await newWallet(db(), ETHEREUM), network: ETHEREUM, crypto: 'USDC' } as const;
    const payment = await startPayment(db(), engine, wallet);
    const ether = observe({ network: ETHEREUM, watchKey: payment.watchKey, asset: 'ETH' });
    const token = observe({ network: ETHEREUM, watchKey: payment.watchKey, asset: 'USDC' });
    await sink([ether, token]);
    expect(await alertsOf(db(), ether)).toEqual([]);
    await sink([later(ether, inBlock(7))]);
    expect(bus.taken.map(({ id }) => id)).toEqual([`${payment.transactionId}:chain:${token.outputId}:${token.order}`]);
    expect(await rowsOf(db(), ether)).toMatchObject([
      { reason: 'other_asset', transaction_id: payment.transactionId, address: payment.address, status: 'block' },
    ]);
    expect(await rowsOf(db(), token)).toEqual([]);
    expect(await alertsOf(db(), ether)).toEqual([{ alert: 'coins_in_other_asset', actor_id: payment.transactionId }]);
  });

  it('rule 27, rule 28: records coins at a free address from the mempool on, and never hands that address out', async () => {
    const { bus, sink } = open();
    const { key, addresses } = await freeAddresses(LITECOIN);
    const seen = observe({ network: LITECOIN, watchKey: addresses[1]?.watchKey ?? '' });
    await sink([seen]);
    expect(await rowsOf(db(), seen)).toMatchObject([
      { reason: 'unassigned_address', address: addresses[1]?.address, transaction_id: null, status: 'mempool' },
    ]);
    const taken = await take(db(), key, 3);
    expect(taken.map((each) => each.derivationIndex)).toEqual([0, 2, 3]);
    expect(bus.taken).toEqual([]);
  });

  it('keeps an address out of use even when its coins have vanished again, and keeps their row', async () => {
    const { sink } = open();
    const { key, addresses } = await freeAddresses(LITECOIN);
    const seen = observe({ network: LITECOIN, watchKey: addresses[0]?.watchKey ?? '' });
    await sink([seen]);
    await sink([later(seen, { kind: 'gone', reason: 'replaced' })]);
    expect(await rowsOf(db(), seen)).toMatchObject([{ status: 'gone', height: null }]);
    expect((await take(db(), key, 1)).map((each) => each.derivationIndex)).toEqual([1]);
    expect(await alertsOf(db(), seen)).toEqual([]);
  });

  it('alerts once for an output, however often it leaves its block and returns', async () => {
    const { sink } = open();
    const { addresses } = await freeAddresses(LITECOIN);
    const seen = observe({ network: LITECOIN, watchKey: addresses[0]?.watchKey ?? '' });
    const statuses: OutputStatus[] = [
      inBlock(7),
      { kind: 'mempool' },
      inBlock(8),
      { kind: 'gone', reason: 'reorged' },
      inBlock(9),
    ];
    for (const status of statuses) await sink([later(seen, status)]);
    expect(await alertsOf(db(), seen)).toEqual([{ alert: 'coins_at_unassigned_address', actor_id: null }]);
    expect(await rowsOf(db(), seen)).toMatchObject([{ status: 'block', height: 9 }]);
  });

  /** A payment whose window has closed, and functions that deliver events to it. */
  async function startClosing() {
    const { bus, sink } = open();
    const clock = createTestClock();
    const engine = startEngine(db(), clock);
    const wallet = { derivationKeyId: await newWallet(db(), LITECOIN), network: LITECOIN, crypto: 'LTC' } as const;
    const { transactionId: actorId, watchKey } = await startPayment(db(), engine, wallet);
    const closesAt = clock.now() + TERMS.windowMs;
    let handed = 0;
    const fire = async (timer: string, dueAt: number) => {
      clock.advance(Math.max(0, dueAt - clock.now()));
      await engine.deliver({ actorId, eventId: newId('evt'), event: { type: `timer.${timer}`, dueAt } });
    };
    return {
      sink,
      fire,
      firstSeenAt: clock.now(),
      coins: () => observe({ network: LITECOIN, watchKey, firstSeenAt: clock.now() }),
      /** Closes the window; later coins are too late to raise anything. */
      closeWindow: async () => {
        await fire('window_closed', closesAt);
        clock.advance(DAY_MS);
      },
      endMonitoring: () => fire('monitoring_ended', closesAt + 30 * DAY_MS),
      /** Delivers what the sink has sent since. */
      carry: async () => {
        for (const { data } of bus.taken.slice(handed)) await engine.deliver(data as EventCommand);
        handed = bus.taken.length;
      },
      leaf: async () =>
        (await db().selectFrom('actor').select('state').where('id', '=', actorId).executeTakeFirstOrThrow()).state,
      recorded: { reason: 'monitoring_ended', transaction_id: actorId },
      alert: { alert: 'coins_after_monitoring', actor_id: actorId },
    };
  }

  it('rule 6, rule 27: records coins that a payment had lost when they are mined after the end of monitoring', async () => {
    const { sink, carry, fire, coins, closeWindow, endMonitoring, firstSeenAt, ...payment } = await startClosing();
    const paid = coins();
    await sink([paid]);
    await carry();
    await closeWindow();
    await fire('confirmation_deadline_passed', firstSeenAt + TERMS.confirmationDeadlineMs);
    const evicted = later(paid, { kind: 'gone', reason: 'evicted' });
    await sink([evicted]);
    await carry();
    await endMonitoring();
    expect(await payment.leaf()).toBe('closedFailed');
    // A restarted watcher reports again that they are gone.
    await sink([later(paid, { kind: 'gone', reason: 'evicted' })]);
    expect(await rowsOf(db(), paid)).toEqual([]);
    await sink([later(paid, inBlock(900))]);
    expect(await rowsOf(db(), paid)).toMatchObject([{ ...payment.recorded, status: 'block' }]);
    expect(await alertsOf(db(), paid)).toEqual([payment.alert]);
    await sink([later(paid, { kind: 'gone', reason: 'reorged' })]);
    expect(await rowsOf(db(), paid)).toMatchObject([{ ...payment.recorded, status: 'gone' }]);
  });

  it('rule 6, rule 27: records coins that were in no block at the end of monitoring once they are mined', async () => {
    const { sink, carry, coins, closeWindow, endMonitoring, ...payment } = await startClosing();
    await closeWindow();
    const late = coins();
    await sink([late]);
    await carry();
    await endMonitoring();
    expect(await payment.leaf()).toBe('closedExpired');
    await sink([later(late, { kind: 'mempool' })]);
    await carry();
    expect(await rowsOf(db(), late)).toEqual([]);
    await sink([later(late, inBlock(900))]);
    await sink([later(late, { kind: 'confirmed', height: 900, blockHash: 'block-900' })]);
    await carry();
    expect(await rowsOf(db(), late)).toMatchObject([{ ...payment.recorded, status: 'confirmed' }]);
    expect(await alertsOf(db(), late)).toEqual([payment.alert]);
  });

  it('rule 6, rule 27: records coins that were sent to a payment when its monitoring ended', async () => {
    const { sink, carry, coins, closeWindow, endMonitoring, ...payment } = await startClosing();
    await closeWindow();
    const known = coins();
    await sink([known]);
    await carry();
    const [fresh, mined] = [{ ...coins(), status: inBlock(900) }, later(known, inBlock(901))];
    await sink([fresh, mined]);
    await endMonitoring();
    await carry();
    expect(await payment.leaf()).toBe('closedExpired');
    for (const coinsOf of [fresh, mined]) {
      expect(await rowsOf(db(), coinsOf)).toMatchObject([
        { ...payment.recorded, status: 'block', amount_base_units: DUE, first_seen_at: coinsOf.firstSeenAt },
      ]);
      expect(await alertsOf(db(), coinsOf)).toEqual([payment.alert]);
    }
  });

  it('rule 13, rule 27: records coins after the end of monitoring, but not those the payment has counted before', async () => {
    const { bus, sink } = open({ isForced: true });
    const engine = startEngine(db());
    const wallet = { derivationKeyId: await newWallet(db(), LITECOIN), network: LITECOIN, crypto: 'LTC' } as const;
    const payment = await startPayment(db(), engine, wallet);
    const counted = observe({ network: LITECOIN, watchKey: payment.watchKey, status: inBlock(5) });
    await sink([counted]);
    for (const { data } of bus.taken) await engine.deliver(data as EventCommand);
    await db()
      .updateTable('address')
      .set({ released_at: new Date() })
      .where('transaction_id', '=', payment.transactionId)
      .execute();
    const tooLate = observe({ network: LITECOIN, watchKey: payment.watchKey, status: inBlock(9_000) });
    // A rescan reads old blocks again: the counted coins are reported again.
    await sink([tooLate, later(counted, inBlock(5))]);
    expect(await rowsOf(db(), counted)).toEqual([]);
    expect(await alertsOf(db(), counted)).toEqual([]);
    expect(await rowsOf(db(), tooLate)).toMatchObject([{ reason: 'monitoring_ended' }]);
    expect(await alertsOf(db(), tooLate)).toEqual([
      { alert: 'coins_after_monitoring', actor_id: payment.transactionId },
    ]);
    expect(bus.taken.map(({ id }) => id.split(':chain:')[1]?.startsWith(counted.outputId))).toEqual([true, true]);
  });

  it('records separately what one output id pays to two addresses, and in two assets', async () => {
    const { sink } = open();
    const { addresses } = await freeAddresses(ETHEREUM);
    const [first, second] = addresses;
    const one = observe({ network: ETHEREUM, watchKey: first?.watchKey ?? '', status: inBlock(3) });
    const others = [
      { ...one, watchKey: second?.watchKey ?? '' },
      { ...one, asset: 'DAI' as const },
    ];
    await sink([one, ...others]);
    const rows = await rowsOf(db(), one);
    expect(rows.map((row) => `${row.address} ${row.asset}`).sort()).toEqual(
      [`${first?.address} ETH`, `${second?.address} ETH`, `${first?.address} DAI`].sort(),
    );
    expect(await alertsOf(db(), one)).toHaveLength(3);
  });

  it('records coins at an address that is in no table', async () => {
    const { sink } = open();
    const seen = observe({ network: LITECOIN, watchKey: 'ab'.repeat(22), status: inBlock(4) });
    await sink([seen]);
    expect(await rowsOf(db(), seen)).toMatchObject([{ reason: 'unassigned_address', address: 'ab'.repeat(22) }]);
  });

  it('rule 6: ends as the newest report of each output says, whatever was repeated, reordered or sent concurrently', async () => {
    const status: fc.Arbitrary<OutputStatus> = fc.constantFrom<OutputStatus>(
      { kind: 'mempool' },
      inBlock(7),
      inBlock(8),
      {
        kind: 'gone',
        reason: 'replaced',
      },
    );
    const history = fc.record({
      reports: fc.array(fc.record({ output: fc.nat(2), status }), { minLength: 1, maxLength: 8 }),
      shuffle: fc.array(fc.nat(1_000), { minLength: 16, maxLength: 16 }),
      batch: fc.integer({ min: 1, max: 5 }),
    });
    const { addresses } = await freeAddresses(LITECOIN, 1);
    const { sink } = open();
    await assertAsyncProperty(
      fc.asyncProperty(history, async ({ reports, shuffle, batch }) => {
        const outputs = [0, 1, 2].map(() => observe({ network: LITECOIN, watchKey: addresses[0]?.watchKey ?? '' }));
        const truth = reports.map((report) => later(outputs[report.output] as Observation, report.status));
        const reported = [...truth, ...truth]
          .map((each, index) => ({ each, key: shuffle[index] ?? 0 }))
          .sort((a, b) => a.key - b.key)
          .map(({ each }) => each);
        for (let start = 0; start < reported.length; start += batch) await sink(reported.slice(start, start + batch));
        for (const [outputId, newest] of new Map(truth.map((each) => [each.outputId, each]))) {
          const { kind } = newest.status;
          const height = 'height' in newest.status ? { height: newest.status.height } : {};
          expect(await rowsOf(db(), newest)).toMatchObject([
            { output_id: outputId, status: kind, chain_order: newest.order, ...height },
          ]);
          const alerts = await alertsOf(db(), newest);
          expect(alerts.length).toBeLessThanOrEqual(1);
          if (kind === 'block') expect(alerts).toHaveLength(1);
        }
      }),
      { numRuns: level.runs(database().kind === 'postgres' ? 40 : 15) },
    );
  });
});

describePostgres('the observation sink during concurrent creates', () => {
  async function open() {
    const database = await createPostgresDatabase();
    const other = await connect({ url: database.url, dataDir: null, poolSize: 4 });
    const bus = createRecordingBus();
    const key = await newWallet(database.db, LITECOIN);
    await deriveAhead(database.db, key, { ahead: 3, derive: async (range: DerivationRange) => deriveRows(range) });
    return {
      db: database.db,
      other: other.db,
      bus,
      key,
      sink: openSink({ db: database.db, bus }),
      async close() {
        await other.close();
        await database.drop();
      },
    };
  }

  it('waits for an address that is being allocated, and gives the coins to its payment', async () => {
    const { db, other, bus, key, sink, close } = await open();
    try {
      const creating = await beginTaking(other, key);
      const coins = { network: LITECOIN, watchKey: creating.watchKey, firstSeenAt: Date.now() };
      const seen = observe({ ...coins, status: inBlock(3) });
      const reported = sink([seen]);
      await untilSomebodyWaits(db);
      await creating.commit();
      await reported;
      expect(bus.taken.map(({ data }) => (data as EventCommand).actorId)).toEqual([creating.transactionId]);
      expect(await rowsOf(db, seen)).toEqual([]);
      expect(await alertsOf(db, seen)).toEqual([]);
    } finally {
      await close();
    }
  });

  it('takes the address out of use when the payment that was about to get it fails', async () => {
    const { db, other, bus, key, sink, close } = await open();
    try {
      const creating = await beginTaking(other, key);
      const seen = observe({ network: LITECOIN, watchKey: creating.watchKey });
      const reported = sink([seen]);
      await untilSomebodyWaits(db);
      await creating.rollBack();
      await reported;
      expect(bus.taken).toEqual([]);
      expect(await rowsOf(db, seen)).toMatchObject([{ reason: 'unassigned_address' }]);
      expect((await take(other, key, 1)).map((each) => each.derivationIndex)).toEqual([1]);
    } finally {
      await close();
    }
  });

  it('makes the allocation skip the address it is recording', async () => {
    const { db, other, key, sink, close } = await open();
    try {
      const [free] = await db.selectFrom('address').select('watch_key').orderBy('derivation_index').limit(1).execute();
      const seen = observe({ network: LITECOIN, watchKey: free?.watch_key ?? '', status: inBlock(3) });
      // Blocks the sink between taking the address and its commit.
      const held = await holdTable(other, 'operator_alert');
      const reported = sink([seen]);
      await untilSomebodyWaits(db);
      const taken = await take(other, key, 1);
      await held.release();
      await reported;
      expect(taken.map((each) => each.derivationIndex)).toEqual([1]);
      expect(await rowsOf(db, seen)).toMatchObject([{ reason: 'unassigned_address', status: 'block' }]);
    } finally {
      await close();
    }
  });

  it('rule 6, rule 27: loses no coins and counts none twice under load from both', async () => {
    const { db, other, bus, key, sink, close } = await open();
    try {
      await deriveAhead(db, key, { ahead: 60, derive: async (range: DerivationRange) => deriveRows(range) });
      const free = await db.selectFrom('address').select('watch_key').execute();
      const observations = free.map((row) => observe({ network: LITECOIN, watchKey: row.watch_key }));
      const engine = startEngine(other);
      const wallet = { derivationKeyId: key, network: LITECOIN, crypto: 'LTC' } as const;
      await Promise.all([
        ...observations.map((each) => sink([each])),
        ...Array.from({ length: 40 }, () => startPayment(other, engine, wallet)),
      ]);
      const unassigned = new Set(
        (await db.selectFrom('unassigned_payment').select('output_id').execute()).map((r) => r.output_id),
      );
      const carried = new Map(bus.taken.map(({ data }) => [outputOf(data as EventCommand), data as EventCommand]));
      const owners = await db.selectFrom('address').select(['watch_key', 'transaction_id']).execute();
      const ownerOf = new Map(owners.map((row) => [row.watch_key, row.transaction_id]));
      for (const { outputId, watchKey } of observations) {
        const owner = ownerOf.get(watchKey) ?? null;
        expect(unassigned.has(outputId)).toBe(owner === null);
        expect(carried.get(outputId)?.actorId ?? null).toBe(owner);
      }
    } finally {
      await close();
    }
  });
});

// Helpers

function rowsOf(db: Db, { outputId }: Observation) {
  return db.selectFrom('unassigned_payment').selectAll().where('output_id', '=', outputId).execute();
}

function alertsOf(db: Db, { outputId }: Observation) {
  return db
    .selectFrom('operator_alert')
    .select(['alert', 'actor_id'])
    .where('detail', 'like', `% in ${outputId} on %`)
    .execute();
}

function outputOf({ event }: EventCommand): string {
  return String(event.outputId);
}

function take(db: Db, derivationKeyId: string, count: number): Promise<AllocatedAddress[]> {
  const requests = Array.from({ length: count }, () => ({ derivationKeyId, transactionId: newId('txn') }));
  return db.transaction().execute((trx) => allocateAddresses(trx, requests));
}

/** A payment that is being created: its address is taken but nothing is committed. */
async function beginTaking(db: Db, derivationKeyId: string) {
  const transactionId = newId('txn');
  const trx = await db.startTransaction().execute();
  const [taken] = await allocateAddresses(trx, [{ derivationKeyId, transactionId }]);
  await insertTransaction(trx, transactionId, taken?.address ?? '');
  return {
    transactionId,
    watchKey: taken?.watchKey ?? '',
    commit: () => trx.commit().execute(),
    rollBack: () => trx.rollback().execute(),
  };
}

async function insertTransaction(trx: Transaction<Database>, id: string, address: string): Promise<void> {
  const now = new Date();
  await insertTransactionRows(trx, [
    {
      id,
      merchant_id: 'mer_sink',
      mode: 'live',
      type: 'basic',
      status: 'pending',
      exception: null,
      crypto: 'LTC',
      network: LITECOIN,
      deposit_address: address,
      due_base_units: '1',
      paid_base_units: '0',
      amount_crypto: '1',
      amount_fiat: '1',
      amount_usd: '1',
      currency_fiat: 'USD',
      fiat_to_usd_rate: '1',
      exchange_rate: '1',
      rate_sources: [],
      confirmations_required: 1,
      order_id: null,
      customer_email: null,
      items: null,
      metadata: null,
      success_url: null,
      cancel_url: null,
      idempotency_key: null,
      request_hash: null,
      created_at: now,
      updated_at: now,
      expires_at: now,
      completed_at: null,
      completed_by: null,
    },
  ]);
}

async function holdTable(db: Db, table: string) {
  const trx = await db.startTransaction().execute();
  await sql`lock table ${sql.table(table)} in exclusive mode`.execute(trx);
  return { release: () => trx.commit().execute() };
}

/** Resolves when a statement waits for a lock of another transaction. */
async function untilSomebodyWaits(db: Db): Promise<void> {
  await vi.waitFor(async () => {
    const { rows } = await sql`
      select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
    expect(rows.length).toBeGreaterThan(0);
  }, POLLING);
}

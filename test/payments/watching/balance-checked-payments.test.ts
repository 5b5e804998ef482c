import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { type CryptoSymbol, DAY_MS, HOUR_MS, MINUTE_MS, publicStateOf } from '../../../machines/index.ts';
import { createEvmNode, createEvmWatcher, evmChain } from '../../../src/chains/index.ts';
import {
  createAccountReader,
  createBalanceDropSink,
  createObservationSink,
  createWatcherStore,
  createWatchSet,
  listUnassignedPayments,
} from '../../../src/payments/index.ts';
import type { ReceivedMessage } from '../../../src/platform/bus/index.ts';
import { createBusHandler, readJournal } from '../../../src/platform/engine/index.ts';
import { deployContract } from '../../support/contracts/deploy.ts';
import { createPostgresDatabase } from '../../support/database/test-database.ts';
import { startAnvil } from '../../support/nodes/anvil.ts';
import { describeWith } from '../../support/run/components.ts';
import { silentLog } from '../../support/silent-log.ts';
import {
  createRecordingBus,
  DUE,
  ETHEREUM,
  newWallet,
  type StartedPayment,
  startEngine,
  startPayment,
} from './sink-support.ts';

const WINDOW_MS = 30 * MINUTE_MS;
const clock = { now: () => Date.now() };

/**
 * From a contract on a real chain to the payment, with the service's watcher, tables and engine.
 */
describeWith('postgres', 'anvil')('ether sent by a contract', () => {
  test('is found at any address allocated, and equals the table of payments', async () => {
    const anvil = await startAnvil({ multicall3: true });
    const database = await createPostgresDatabase();
    const params = evmChain(ETHEREUM);
    const node = createEvmNode({ urls: [anvil.url], params, tokens: [], log: silentLog, clock });
    try {
      const { db } = database;
      const forwarder = await deployContract(anvil, 'Forwarder');
      await anvil.mine(3);
      const merchant = {
        id: 'mer_sink',
        name: 'Shop',
        email: 'shop@example.com',
        plan: 'professional',
        settings: '{}',
      };
      await db.insertInto('merchant').values(merchant).execute();
      const derivationKeyId = await newWallet(db, ETHEREUM);
      const engine = startEngine(db, clock);
      const bus = createRecordingBus();
      const watcher = createEvmWatcher({
        params,
        node,
        store: createWatcherStore({ db, network: ETHEREUM, onProgress: () => {} }),
        watchSet: createWatchSet({ db, network: ETHEREUM }),
        accounts: createAccountReader({ db, network: ETHEREUM, coin: 'ETH' }),
        sink: createObservationSink({ db, bus, log: silentLog, publicUrl: 'https://pay.example' }),
        dropSink: createBalanceDropSink({ db, bus }),
        clock,
        log: silentLog,
        balanceCheckEveryMs: 0,
      });
      let carried = 0;
      /** Polls, and delivers the observations to the payments. */
      const poll = async () => {
        await watcher.step();
        for (const message of bus.taken.slice(carried)) {
          await createBusHandler(engine)({ ...message, attempt: 1 } as ReceivedMessage);
        }
        carried = bus.taken.length;
      };
      let played = 0;
      const play = async ({ transactionId }: StartedPayment, ...events: readonly { readonly type: string }[]) => {
        for (const event of events) {
          played += 1;
          await engine.deliver({ actorId: transactionId, eventId: `test:${played}`, event });
        }
      };
      const begin = (startedAgoMs: number, crypto: CryptoSymbol = 'ETH') => {
        const started = startEngine(db, { now: () => Date.now() - startedAgoMs });
        return startPayment(db, started, { derivationKeyId, network: ETHEREUM, crypto });
      };
      const stateOf = async ({ transactionId }: StartedPayment) => {
        const last = (await readJournal(db, transactionId)).at(-1);
        if (last === undefined) throw new Error('the payment has no history');
        const { status, exception } = publicStateOf(last.state);
        return { status, exception };
      };
      const amountsOf = async ({ transactionId }: StartedPayment) => {
        const rows = await db
          .selectFrom('payment')
          .select('amount_base_units')
          .where('transaction_id', '=', transactionId)
          .orderBy('amount_base_units')
          .execute();
        return rows.map((row) => row.amount_base_units);
      };

      const completed = await begin(MINUTE_MS);
      const failed = await begin(2 * HOUR_MS);
      const late = await begin(5 * HOUR_MS + WINDOW_MS);
      const old = await begin(20 * DAY_MS + WINDOW_MS);
      const token = await begin(MINUTE_MS, 'USDC');
      const all = [completed, failed, late, old, token];
      await poll();
      const own = { outputId: 'own', order: 1, txid: 'own', amountBaseUnits: `${DUE}`, firstSeenAt: Date.now() };
      await play(completed, { type: 'chain.output_confirmed', ...own, height: 2, blockHash: '0x2' } as never);
      await play(failed, { type: 'chain.balance_dropped', missingBaseUnits: '1' } as never);
      await play(failed, { type: 'merchant.rejected', by: 'user_1', reason: 'No coins came' } as never);
      for (const payment of [late, old]) {
        const { expires_at: expiresAt } = await db
          .selectFrom('transaction')
          .select('expires_at')
          .where('id', '=', payment.transactionId)
          .executeTakeFirstOrThrow();
        await play(payment, { type: 'timer.window_closed', dueAt: expiresAt } as never);
      }
      expect(await Promise.all(all.map(async (payment) => (await stateOf(payment)).status))).toEqual([
        'completed',
        'failed',
        'expired',
        'expired',
        'pending',
      ]);
      await poll();

      for (const { watchKey } of all) await forwarder.send('forward', [watchKey], { valueWei: DUE - 1n });
      await anvil.mine(40);
      await sql`update account_balance set due_at = now()`.execute(db);
      await poll();
      expect(await amountsOf(completed)).toEqual([DUE - 1n, DUE]);
      expect(await stateOf(completed)).toMatchObject({ status: 'completed' });
      expect(await amountsOf(failed)).toEqual([DUE - 1n]);
      expect(await stateOf(failed)).toEqual({ status: 'expired', exception: 'paid_late' });
      expect(await amountsOf(late)).toEqual([DUE - 1n]);
      expect(await stateOf(late)).toEqual({ status: 'expired', exception: 'paid_late' });
      expect(await amountsOf(old)).toEqual([DUE - 1n]);
      expect(await stateOf(old)).toEqual({ status: 'expired', exception: null });
      expect(await amountsOf(token)).toEqual([]);
      expect(await listUnassignedPayments(db, { limit: 10 })).toMatchObject([
        { transactionId: token.transactionId, asset: 'ETH', reason: 'other_asset', amountBaseUnits: DUE - 1n },
      ]);

      const messages = bus.taken.length;
      await sql`update account_balance set due_at = now()`.execute(db);
      await poll();
      expect(bus.taken.length, 'nothing counts twice').toBe(messages);
    } finally {
      await node.close();
      await anvil.stop();
      await database.drop();
    }
  });
});

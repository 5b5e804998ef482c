import { expect, test } from 'vitest';
import { seenBaseUnits } from '../../machines/index.ts';
import { rewindWatchers } from '../../src/payments/index.ts';
import { branchFrom, pays } from '../chains/evm/watcher/sightings/sighting-support.ts';
import { type NotifiedPayment, openNotifiedPayment } from '../chains/evm/watcher/verify/notified-payment.ts';
import { describeDatabases, type TestDatabase } from '../support/database/test-database.ts';
import { changeTransactions } from '../support/database/transaction-rows.ts';
import { address, COIN, type FakeTransaction } from '../support/nodes/fake-evm-node.ts';
import { level } from '../support/run/level.ts';
import { openAccount } from './support/open-account.ts';
import { mine, openWatcher, type WatcherOfTest } from './support/rewound-watcher.ts';

/** After a restore, reports about the blocks that are read again still hold or are withdrawn. */

interface Case {
  readonly isTracedBefore: boolean;
  readonly isTracedAfter: boolean;
  /** When a reorganisation moves the block of the coins, or removes it. */
  readonly reorganised: 'never' | 'before' | 'while down';
}

describeDatabases('half a payment, in blocks that are read again after a restore', (database) => {
  test.each<[string, Case]>([
    ['traced before and after', { isTracedBefore: true, isTracedAfter: true, reorganised: 'never' }],
    ['traced only before', { isTracedBefore: true, isTracedAfter: false, reorganised: 'never' }],
    ['traced only after', { isTracedBefore: false, isTracedAfter: true, reorganised: 'never' }],
    ['never traced, and moved before', { isTracedBefore: false, isTracedAfter: false, reorganised: 'before' }],
    ['undone while the service was down', { isTracedBefore: true, isTracedAfter: true, reorganised: 'while down' }],
  ])('%s, counts once if it exists', async (_title, { isTracedBefore, isTracedAfter, reorganised }) => {
    const { db } = database();
    const at = await caughtUp(db);
    const payment = openPayment(at);
    at.node.traces = isTracedBefore;
    const paid = pays(9);
    const block = at.node.mine([paid]);
    await at.poll();
    if (reorganised === 'before') branchFrom(at, block.parentHash, [[], [paid]]);
    mine(at, 3);
    await at.poll();
    await payment.confirmAll();
    expect(payment.run.view().leaf).toBe('open.partiallyPaid');

    await db.transaction().execute((trx) => rewindWatchers(trx, { blocks: 10 }));
    at.restart();
    at.node.traces = isTracedAfter;
    if (reorganised === 'while down') branchFrom(at, block.parentHash, [[], [], [], [], [], []]);
    for (let polls = 0; polls < 3; polls += 1) {
      mine(at, 1);
      await at.poll();
    }
    await payment.confirmAll();
    await payment.confirmAll();
    const isGone = reorganised === 'while down';
    expect(seenBaseUnits(payment.run.view().context)).toBe(isGone ? 0n : 9n);
    expect(payment.run.view().leaf).toBe(isGone ? 'open.awaitingPayment' : 'open.partiallyPaid');
  });
});

type Afterwards = 'nothing changes' | 'traced now' | 'named late' | 'state gone' | 'moved while down';
const AFTERWARDS: readonly Afterwards[] = level.pick({
  quick: ['traced now', 'state gone'],
  full: ['nothing changes', 'traced now', 'named late', 'state gone', 'moved while down'],
});

describeDatabases('coins known only by a balance, in blocks that are read again', (database) => {
  test.each(AFTERWARDS)('count once for a completed payment: %s', async (afterwards) => {
    const { db } = database();
    const at = await caughtUp(db);
    const payment = openPayment(at, '9');
    const coins = await payUntraced(at, afterwards);
    mine(at, 4);
    await at.poll();
    await payment.confirmAll();
    expect(payment.run.view().leaf).toBe('completed');
    await closeInDatabase(db, at, 'completed');

    await rewindAndGoOn(db, at, { coins, afterwards });
    await payment.confirmAll();
    expect(seenBaseUnits(payment.run.view().context)).toBe(9n);
    expect(payment.run.notifications.map(({ event }) => event)).not.toContain('payment.overpaid');
  });

  test.each(AFTERWARDS)('count once for a payment that expired with half of its coins: %s', async (afterwards) => {
    const { db } = database();
    const at = await caughtUp(db);
    const payment = openPayment(at, '18');
    const { expiresAt } = payment.run.view().context;
    mine(at, 110);
    await at.poll();
    const coins = await payUntraced(at, afterwards);
    mine(at, 45);
    await at.poll();
    await payment.confirmAll();
    payment.run.send({ type: 'timer.window_closed', at: at.node.timeSeconds * 1_000, dueAt: expiresAt });
    expect(payment.run.view().leaf).toBe('expired.watching');
    await closeInDatabase(db, at, 'expired', expiresAt);

    await rewindAndGoOn(db, at, { coins, afterwards });
    await payment.confirmAll();
    expect(seenBaseUnits(payment.run.view().context)).toBe(9n);
    expect(payment.run.view().leaf).toBe('expired.watching');
  });

  test.each(['before the restore', 'before their account is compared again'])(
    'count once for a payment whose address is released %s',
    async (released) => {
      const { db } = database();
      const at = await caughtUp(db);
      const payment = openPayment(at, '9');
      await payUntraced(at, 'nothing changes');
      mine(at, 4);
      await at.poll();
      await payment.confirmAll();
      await closeInDatabase(db, at, 'completed');

      if (released === 'before the restore') await release(db, at);
      await db.transaction().execute((trx) => rewindWatchers(trx, { blocks: 100 }));
      if (released === 'before their account is compared again') await release(db, at);
      at.restart();
      for (let polls = 0; polls < 3; polls += 1) {
        mine(at, 1);
        await at.poll();
      }
      await payment.confirmAll();
      expect(seenBaseUnits(payment.run.view().context)).toBe(9n);
      await at.makeDue();
      await at.poll();
      expect(await db.selectFrom('account_balance').selectAll().where('network', '=', at.network).execute()).toEqual(
        [],
      );
    },
  );

  test('count once for a payment whose address is released before a reorg moves them', async () => {
    const { db } = database();
    const at = await caughtUp(db);
    const payment = openPayment(at, '9');
    const { paid, parentHash } = await payUntraced(at, 'nothing changes');
    mine(at, 4);
    await at.poll();
    await payment.confirmAll();
    await closeInDatabase(db, at, 'completed');
    await release(db, at);
    branchFrom(at, parentHash, [[], [paid], [], [], [], []]);
    for (let polls = 0; polls < 3; polls += 1) {
      mine(at, 1);
      await at.poll();
    }
    await payment.confirmAll();
    expect(seenBaseUnits(payment.run.view().context)).toBe(9n);
  });

  test('stay with a completed payment while they are not deep enough', async () => {
    const { db } = database();
    const at = await caughtUp(db);
    const payment = openPayment(at, '9');
    await payUntraced(at, 'nothing changes');
    mine(at, 4);
    await at.poll();
    await payment.confirmAll();
    at.node.mine([pays(5)]);
    await at.poll();
    payment.receive();
    expect(seenBaseUnits(payment.run.view().context)).toBe(14n);
    await closeInDatabase(db, at, 'completed');

    await db.transaction().execute((trx) => rewindWatchers(trx, { blocks: 10 }));
    at.restart();
    mine(at, 4);
    await at.poll();
    await payment.confirmAll();
    expect(seenBaseUnits(payment.run.view().context)).toBe(14n);
  });
});

// Helpers

async function caughtUp(db: TestDatabase['db']): Promise<WatcherOfTest> {
  const at = openWatcher(db);
  await openAccount(db, { network: at.network, watchKey: address(0), crypto: COIN, vettedAt: 1 });
  mine(at, 20);
  await at.poll();
  return at;
}

/** Due in wei. */
function openPayment({ node, observations, watcher }: WatcherOfTest, dueBaseUnits = '18'): NotifiedPayment {
  const terms = { dueBaseUnits, confirmationsRequired: 3, windowMs: 1_800_000 };
  return openNotifiedPayment({ ...terms, observations, watcher, now: () => node.timeSeconds * 1000 });
}

/** 9 wei from a contract, in a block whose trace is not there, or comes a minute later. */
async function payUntraced(at: WatcherOfTest, afterwards: Afterwards): Promise<PaidBlock> {
  at.node.traces = afterwards === 'named late' ? 'fails' : false;
  const paid = pays(9);
  const { parentHash } = at.node.mine([paid]);
  await at.poll();
  if (afterwards === 'named late') {
    at.node.traces = true;
    at.node.timeSeconds += 60;
    mine(at, 1);
    await at.poll();
  }
  return { paid, parentHash };
}

interface PaidBlock {
  readonly paid: FakeTransaction;
  readonly parentHash: string;
}

async function closeInDatabase(
  db: TestDatabase['db'],
  { network }: WatcherOfTest,
  status: 'completed' | 'expired',
  expiresAt = 0,
): Promise<void> {
  await changeTransactions(db, { status, expires_at: new Date(expiresAt) }, { network });
}

/** The monitoring of the payment ends. */
async function release(db: TestDatabase['db'], { network }: WatcherOfTest): Promise<void> {
  await db.updateTable('address').set({ released_at: new Date() }).where('network', '=', network).execute();
}

/** The service is restored, starts, and follows the chain until nothing is due any more. */
async function rewindAndGoOn(
  db: TestDatabase['db'],
  at: WatcherOfTest,
  { coins: { paid, parentHash }, afterwards }: { readonly coins: PaidBlock; readonly afterwards: Afterwards },
): Promise<void> {
  await db.transaction().execute((trx) => rewindWatchers(trx, { blocks: 100 }));
  at.restart();
  at.node.traces = afterwards === 'traced now' || afterwards === 'named late';
  if (afterwards === 'moved while down') {
    branchFrom(at, parentHash, [[], [paid], ...Array.from({ length: 50 }, () => [])]);
  }
  if (afterwards === 'state gone') {
    mine(at, 20);
    at.node.stateBlocks = 5;
  }
  for (let polls = 0; polls < 4; polls += 1) {
    mine(at, 1);
    await at.makeDue();
    await at.poll();
  }
  mine(at, 4);
  await at.poll();
}

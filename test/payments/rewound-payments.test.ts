import { expect, test } from 'vitest';
import { seenBaseUnits } from '../../machines/index.ts';
import { rewindWatchers } from '../../src/payments/index.ts';
import { branchFrom, pays } from '../chains/evm/watcher/sighting-support.ts';
import { openToldPayment, type ToldPayment } from '../chains/evm/watcher/told-payment.ts';
import { describeDatabases, type TestDatabase } from '../support/database.ts';
import { address, COIN } from '../support/fake-evm-node.ts';
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
  ])('%s, counts once if it is there', async (_title, { isTracedBefore, isTracedAfter, reorganised }) => {
    const { db } = database();
    const at = await caughtUp(db);
    const payment = openPayment(at);
    at.node.traces = isTracedBefore;
    const paid = pays(9);
    const block = at.node.mine([paid]);
    await at.look();
    if (reorganised === 'before') branchFrom(at, block.parentHash, [[], [paid]]);
    mine(at, 3);
    await at.look();
    await payment.confirmAll();
    expect(payment.run.view().leaf).toBe('open.partiallyPaid');

    await db.transaction().execute((trx) => rewindWatchers(trx, { blocks: 10 }));
    at.restart();
    at.node.traces = isTracedAfter;
    if (reorganised === 'while down') branchFrom(at, block.parentHash, [[], [], [], [], [], []]);
    for (let looks = 0; looks < 3; looks += 1) {
      mine(at, 1);
      await at.look();
    }
    await payment.confirmAll();
    await payment.confirmAll();
    const isGone = reorganised === 'while down';
    expect(seenBaseUnits(payment.run.view().context)).toBe(isGone ? 0n : 9n);
    expect(payment.run.view().leaf).toBe(isGone ? 'open.awaitingPayment' : 'open.partiallyPaid');
  });

  test('coins of a completed payment that only a balance shows are not reported as gone', async () => {
    const { db } = database();
    const at = await caughtUp(db);
    at.node.traces = false;
    at.node.mine([pays(9)]);
    await at.look();
    expect(at.observations.at(-1)).toMatchObject({ txid: null, standing: { kind: 'block' } });
    await db.updateTable('transaction').set({ status: 'completed' }).where('network', '=', at.network).execute();
    await db.transaction().execute((trx) => rewindWatchers(trx, { blocks: 10 }));
    at.restart();
    for (let looks = 0; looks < 3; looks += 1) {
      mine(at, 1);
      await at.look();
    }
    expect(at.observations.filter(({ standing }) => standing.kind === 'gone')).toEqual([]);
  });
});

// Helpers

async function caughtUp(db: TestDatabase['db']): Promise<WatcherOfTest> {
  const at = openWatcher(db);
  await openAccount(db, { network: at.network, watchKey: address(0), crypto: COIN });
  mine(at, 20);
  await at.look();
  return at;
}

/** A payment of 18 wei. */
function openPayment({ node, observations, watcher }: WatcherOfTest): ToldPayment {
  const terms = { dueBaseUnits: '18', confirmationsRequired: 3, windowMs: 1_800_000 };
  return openToldPayment({ ...terms, observations, watcher, now: () => node.timeSeconds * 1000 });
}

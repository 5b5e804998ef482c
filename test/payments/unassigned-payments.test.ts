import { expect, it } from 'vitest';
import { countUnassignedPayments, listUnassignedPayments } from '../../src/payments/index.ts';
import { describeDatabases } from '../support/database/test-database.ts';
import { createRecordingBus, ETHEREUM, inBlock, LITECOIN, later, observe, openSink } from './watching/sink-support.ts';

describeDatabases('unassigned deposits', (database) => {
  it('are listed newest first, for all networks or one, and counted while they exist', async () => {
    const { db } = database();
    const sink = openSink({ db, bus: createRecordingBus() });
    const old = observe({ network: LITECOIN, watchKey: 'aa', firstSeenAt: 1_000, status: inBlock(6) });
    const token = observe({
      network: ETHEREUM,
      watchKey: '0xbb',
      asset: 'DAI',
      amountBaseUnits: 10n ** 24n,
      txid: null,
      firstSeenAt: 2_000,
    });
    const recent = observe({ network: LITECOIN, watchKey: 'cc', firstSeenAt: 9_000_000 });
    await sink([old, token, recent]);
    await sink([later(old, { kind: 'gone', reason: 'reorged' })]);

    const all = await listUnassignedPayments(db, { limit: 10 });
    expect(all.map((each) => each.outputId)).toEqual([recent.outputId, token.outputId, old.outputId]);
    expect(all[1]).toEqual({
      network: ETHEREUM,
      outputId: token.outputId,
      asset: 'DAI',
      address: '0xbb',
      transactionId: null,
      reason: 'unassigned_address',
      txid: null,
      amountBaseUnits: 10n ** 24n,
      status: 'mempool',
      height: null,
      firstSeenAt: token.firstSeenAt,
    });
    expect(all[2]).toMatchObject({ status: 'gone', height: null });
    expect((await listUnassignedPayments(db, { network: LITECOIN, limit: 1 })).map((each) => each.outputId)).toEqual([
      recent.outputId,
    ]);
    expect(await countUnassignedPayments(db)).toBe(2);
  });
});

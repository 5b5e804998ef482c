import { beforeEach, describe, expect, test } from 'vitest';
import { RpcError } from '../../../src/chains/rpc/rpc-call.ts';
import { payment } from '../../support/nodes/fake-utxo-node.ts';
import { createWatcherHarness, type WatcherHarness } from '../support/watcher-harness.ts';

const ERROR_SECONDS = 40 * 60;

let at: WatcherHarness;

beforeEach(async () => {
  at = createWatcherHarness();
  Object.assign(at.params, { staleAfterMs: 3_600_000 });
  for (let mined = 0; mined < 20; mined += 1) at.node.mine([]);
  at.node.clockErrorSeconds = -ERROR_SECONDS;
});

/** Submits a payment a while after the last poll, and returns its own time and the one reported. */
async function paidAfter(seconds: number): Promise<{ submittedAt: number; firstSeenAt: number | undefined }> {
  at.node.timeSeconds += seconds;
  const paid = payment([1], [0]);
  at.node.submit(paid);
  const submittedAt = at.clock.now();
  at.node.timeSeconds += 10;
  await at.step();
  return { submittedAt, firstSeenAt: at.sink.last(`${paid.txid}:0`)?.firstSeenAt };
}

describe('a node whose clock is behind', () => {
  test('rule 2: dates no payment before a listing of its mempool without it', async () => {
    await at.step();
    const syncedUntil = at.store.syncedUntil();
    expect((await paidAfter(5)).firstSeenAt).toBe(syncedUntil);
  });

  test('dates what a listing had and could not be fetched before that listing', async () => {
    await at.step();
    const syncedUntil = at.store.syncedUntil();
    at.node.timeSeconds += 10;
    const paid = payment([1], [0]);
    let isHidden = false;
    at.node.beforeCall = (method) => {
      if (method === 'getmempoolinfo') at.node.submit(paid);
      if (method === 'getrawtransaction' && !isHidden) at.node.evict(paid.txid);
    };
    await at.step();
    isHidden = true;
    await at.step();
    expect(at.sink.last(`${paid.txid}:0`)?.firstSeenAt).toBe(syncedUntil);
  });

  test.each([
    ['a restart of the service', async () => at.restart()],
    [
      'a failed poll',
      async () => {
        at.sink.failAt = () => {
          throw new Error('no bus');
        };
        at.node.mine([payment([7], [3])]);
        await expect(at.step()).rejects.toThrow('no bus');
        at.sink.failAt = null;
      },
    ],
    [
      'a poll while it was loading its mempool',
      async () => {
        at.node.mempoolLoaded = false;
        await at.step();
        at.node.mempoolLoaded = true;
      },
    ],
    [
      'a poll in which it did not say whether its mempool is loaded, as Dogecoin Core',
      async () => {
        at.node.mempoolLoaded = null;
        await at.step();
      },
    ],
  ])('is believed after %s, because it may have received the coins before', async (_title, interrupt) => {
    await at.step();
    await interrupt();
    const { submittedAt, firstSeenAt } = await paidAfter(5);
    expect(firstSeenAt).toBe(submittedAt - ERROR_SECONDS * 1000);
  });

  test('raises a warning that says by how much, until it is right again', async () => {
    await at.step();
    expect(at.watcher().status().warnings).toEqual([
      expect.stringMatching(/^The node's clock is 40 minutes behind this machine's\. .*too late may count as in time/),
    ]);
    at.node.clockErrorSeconds = -60;
    await at.step();
    expect(at.watcher().status().warnings).toEqual([]);
  });
});

describe('a node whose clock is ahead', () => {
  test('dates no payment after now, and raises a warning', async () => {
    at.node.clockErrorSeconds = ERROR_SECONDS;
    await at.step();
    const { firstSeenAt } = await paidAfter(5);
    expect(firstSeenAt).toBe(at.clock.now());
    expect(at.watcher().status().warnings).toEqual([
      expect.stringMatching(/40 minutes ahead of this machine's\. .*in time may count as late/),
    ]);
  });
});

test('a node that does not report its clock raises no warning', async () => {
  at.node.beforeCall = (method) => {
    if (method === 'getnettotals') throw new RpcError(method, -32601, 'Method not found');
  };
  await at.step();
  expect(at.watcher().status().warnings).toEqual([]);
});

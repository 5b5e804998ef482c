import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import type { OutputRecord } from '../../../machines/index.ts';
import type { OutputEvent } from '../../../machines/transaction/events.ts';
import { recordOutput } from '../../../machines/transaction/outputs.ts';
import type { Observation } from '../../../src/chains/index.ts';
import { chainEventCommand } from '../../../src/payments/watching/chain-events.ts';
import { payment, script } from '../../support/nodes/fake-utxo-node.ts';
import { assertAsyncProperty } from '../../support/run/fast-check.ts';
import { level } from '../../support/run/level.ts';
import { createRun, history } from '../support/random-history.ts';
import { createWatcherHarness, WATCHED_KEYS, type WatcherHarness } from '../support/watcher-harness.ts';

const LATE_KEY = WATCHED_KEYS + 5;
const RUNS = 200;
let at: WatcherHarness;

beforeEach(async () => {
  at = createWatcherHarness({ historyBlocks: 10 });
  for (let mined = 0; mined < 20; mined += 1) at.node.mine([]);
  await at.step();
});

function rescan(fromHeight: number, toHeight: number) {
  return at.watcher().rescan({ fromHeight, toHeight });
}

function statusOf(outputId: string) {
  return at.sink.last(outputId)?.status;
}

/** A payment to an address that is watched only after its block was scanned. */
async function overlooked() {
  const paid = payment([1], [LATE_KEY]);
  at.node.submit(paid);
  const block = at.node.mine();
  await at.step();
  at.watchSet.add(script(LATE_KEY));
  return { id: `${paid.txid}:0`, block };
}

describe('a rescan', () => {
  test('finds a missed payment, counts it, and tracks it from then on, also across a restart', async () => {
    const { id, block } = await overlooked();
    expect(at.sink.observations).toEqual([]);
    expect(await rescan(15, 21)).toEqual({ blocks: 7, outputs: 1 });
    expect(statusOf(id)).toEqual({ kind: 'block', height: 21, blockHash: block.hash });
    at.restart();
    at.node.setBest(at.node.build(block.previousHash, []).hash, () => false);
    await at.step();
    expect(statusOf(id)).toEqual({ kind: 'gone', reason: 'reorged' });
  });

  test('done twice reports the same twice and stores it once', async () => {
    const { id } = await overlooked();
    await rescan(0, 21);
    const saved = JSON.stringify(at.store.blocks(), withBigints);
    await rescan(0, 21);
    expect(at.sink.observations.map(({ outputId, status }) => [outputId, status.kind])).toEqual([
      [id, 'block'],
      [id, 'block'],
    ]);
    expect(JSON.stringify(at.store.blocks(), withBigints)).toBe(saved);
    await at.step();
    expect(at.sink.observations).toHaveLength(2);
  });

  test.each(['txindex', 'unspent outputs', 'neither'])(
    'of a transaction finds its block by what the node has: %s',
    async (source) => {
      const { id, block } = await overlooked();
      for (let mined = 0; mined < 3; mined += 1) at.node.mine([]);
      const [txid = ''] = id.split(':');
      at.node.hasTransactionIndex = source === 'txindex';
      at.node.reportsUnspent = source === 'unspent outputs';
      const isFound = source !== 'neither';
      const found = isFound ? { height: 21, outputs: 1 } : { height: null, outputs: 0 };
      expect(await at.watcher().search(txid)).toEqual(found);
      expect(statusOf(id)).toEqual(isFound ? { kind: 'block', height: 21, blockHash: block.hash } : undefined);
      expect(await at.watcher().search('ab'.repeat(32))).toEqual({ height: null, outputs: 0 });
    },
  );

  test('of a transaction reads the block that is named when the node cannot find it', async () => {
    const { id, block } = await overlooked();
    for (let mined = 0; mined < 3; mined += 1) at.node.mine([]);
    const [txid = ''] = id.split(':');
    at.node.hasTransactionIndex = false;
    at.node.reportsUnspent = false;
    expect(await at.watcher().search(txid, 20)).toEqual({ height: 20, outputs: 0 });
    expect(statusOf(id)).toBeUndefined();
    expect(await at.watcher().search(txid, 21)).toEqual({ height: 21, outputs: 1 });
    expect(statusOf(id)).toEqual({ kind: 'block', height: 21, blockHash: block.hash });
    await expect(at.watcher().search(txid, 1_000)).rejects.toThrow(RangeError);
  });

  test('reads blocks below all stored ones, and stores none of them', async () => {
    const { id, block } = await overlooked();
    for (let mined = 0; mined < 30; mined += 1) at.node.mine([]);
    await at.step();
    at.restart();
    await at.step();
    expect(await rescan(0, 30)).toEqual({ blocks: 31, outputs: 1 });
    expect(statusOf(id)).toMatchObject({ kind: 'block', height: 21, blockHash: block.hash });
    expect(at.store.unsettled()).toEqual([]);
    await at.step();
    expect(at.sink.observations).toHaveLength(1);
  });

  test('first advances the watcher to the tip, so that a block mined a moment ago can be read', async () => {
    const { id } = await overlooked();
    at.node.mine([]);
    expect(await rescan(21, 22)).toEqual({ blocks: 2, outputs: 1 });
    expect(statusOf(id)).toMatchObject({ kind: 'block', height: 21 });
    expect(at.watcher().status().cursorHeight).toBe(22);
  });

  test.each([
    [18, 21],
    [21, 21],
    [-1, 3],
    [5, 4],
  ])('of blocks %i to %i is rejected when the tip is 20, and the error names the available range', async (from, to) => {
    await expect(rescan(from, to)).rejects.toThrow(RangeError);
    await expect(rescan(from, to)).rejects.toThrow(/the chain has blocks 0 to 20/);
  });

  test('during which the chain is reorganised reports the new chain only', async () => {
    const { id, block } = await overlooked();
    let again = '';
    at.node.beforeCall = (method) => {
      if (method !== 'getblock') return;
      at.node.beforeCall = null;
      const empty = at.node.build(block.previousHash, []);
      again = at.node.build(empty.hash, block.transactions.slice(1)).hash;
      at.node.setBest(again);
    };
    await rescan(21, 21);
    expect(at.sink.observations.map((each) => each.status)).not.toContainEqual(
      expect.objectContaining({ blockHash: block.hash }),
    );
    await at.step();
    expect(statusOf(id)).toEqual({ kind: 'block', height: 22, blockHash: again });
  });

  test('that meets a transient branch neither reports its payment nor puts it into another block', async () => {
    const before = at.node.best();
    const paid = payment([1], [LATE_KEY]);
    at.watchSet.add(script(LATE_KEY));
    const empty = at.node.mine([]);
    await at.step();
    const other = at.node.build(before.hash, [paid]);
    // The other branch is best while its block is read, but no longer when the watcher checks.
    let hashes = 0;
    at.node.beforeCall = (method) => {
      if (method === 'getblockhash') hashes += 1;
      if (method === 'getblockhash' && hashes === 2) at.node.setBest(other.hash);
      if (method === 'getbestblockhash' && hashes >= 2) at.node.setBest(empty.hash, () => false);
    };
    await rescan(21, 21);
    at.node.beforeCall = null;
    for (const block of at.store.blocks()) expect(block.outputs, block.blockHash).toEqual([]);
    await at.step();
    expect(at.sink.observations).toEqual([]);
  });

  test('whose sink rejects saves nothing, and reports again when repeated', async () => {
    const { id } = await overlooked();
    at.sink.failAt = () => {
      throw new Error('broker away');
    };
    await expect(rescan(0, 21)).rejects.toThrow('broker away');
    at.sink.failAt = null;
    await rescan(0, 21);
    expect(statusOf(id)).toMatchObject({ kind: 'block' });
  });

  test('after any history changes no fold of the reports', async () => {
    await assertAsyncProperty(
      fc.asyncProperty(history, fc.boolean(), async (actions, reportsLocks) => {
        const run = createRun({ reportsLocks });
        await run.act({ kind: 'poll' });
        for (const each of actions) await run.act(each);
        await run.act({ kind: 'poll' });
        const before = fold(run.at.sink.observations);
        await run.rescan(0, run.at.node.best().height);
        expect(fold(run.at.sink.observations)).toEqual(before);
        await run.act({ kind: 'poll' });
        expect(fold(run.at.sink.observations)).toEqual(before);
      }),
      { numRuns: level.runs(RUNS) },
    );
  });
});

/** What a transaction would know after these observations, without their order. */
function fold(observations: readonly Observation[]) {
  let outputs: readonly OutputRecord[] = [];
  for (const observation of observations) {
    const { event } = chainEventCommand('txn', observation);
    outputs = recordOutput(outputs, { ...event, at: observation.firstSeenAt } as OutputEvent);
  }
  return outputs.map(({ order: _order, verified, ...rest }) => ({ ...rest, verifiedIn: verified?.blockHash ?? null }));
}

function withBigints(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}

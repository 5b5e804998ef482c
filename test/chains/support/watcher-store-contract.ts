import { beforeEach, describe, expect, test } from 'vitest';
import type { Progress, ScannedBlock, TrackedOutput, WatcherStore } from '../../../src/chains/index.ts';

/**
 * The contract that every implementation of `WatcherStore` must pass: a store that violates it
 * makes the watcher lose payments or report them as gone. `create` returns a store of a network
 * that no other test uses.
 */
export function describeWatcherStore(name: string, create: () => Promise<WatcherStore>): void {
  describe(`${name} as a watcher store`, () => {
    let store: WatcherStore;
    beforeEach(async () => {
      store = await create();
      await store.nextEpoch();
    });

    async function save(forkHeight: number, heights: readonly number[], change: Pick<Progress, 'unsettled'> = {}) {
      const blocks = heights.map((height) => block(height));
      const cursor = { height: forkHeight + heights.length, blockHash: hashOf(forkHeight + heights.length) };
      const tipHeight = cursor.height + 5;
      await store.saveProgress({ forkHeight, blocks, cursor, tipHeight, syncedUntil: 1_700_000_000_000, ...change });
    }

    test('every epoch is higher than all previous ones', async () => {
      const first = await store.nextEpoch();
      expect(await store.nextEpoch()).toBeGreaterThan(first);
    });

    test('starts empty', async () => {
      expect(await store.loadCursor()).toBeNull();
      expect(await store.loadRecentBlocks(10)).toEqual([]);
      expect(await store.loadUnsettled()).toEqual([]);
    });

    test('returns blocks newest first, complete, and no more than requested', async () => {
      await save(4, [5, 6, 7]);
      expect(await store.loadCursor()).toEqual({ height: 7, blockHash: hashOf(7) });
      expect(await store.loadRecentBlocks(2)).toEqual([block(7), block(6)]);
    });

    test('progress deletes blocks above the fork and keeps those below', async () => {
      await save(4, [5, 6, 7]);
      await save(5, [6]);
      expect(await store.loadRecentBlocks(10)).toEqual([block(6), block(5)]);
      expect(await store.loadCursor()).toEqual({ height: 6, blockHash: hashOf(6) });
    });

    test('a fork below all blocks, without new ones, leaves only the cursor', async () => {
      await save(4, [5, 6, 7]);
      await save(3, []);
      expect(await store.loadRecentBlocks(10)).toEqual([]);
      expect(await store.loadCursor()).toEqual({ height: 3, blockHash: hashOf(3) });
    });

    test('an output is found in the block that has it, below the height that is asked for', async () => {
      await save(4, [5, 6, 7]);
      const [five, seven] = [block(5).outputs[0], block(7).outputs[0]].map((each) => each?.outputId ?? '');
      const ids = [five ?? '', seven ?? '', 'in no block'];
      const fifth = { outputId: five, height: 5, blockHash: hashOf(5) };
      expect(await store.findRecorded(ids, 5)).toEqual([]);
      expect(await store.findRecorded(ids, 7)).toEqual([fifth]);
      expect(await store.findRecorded(ids, 8)).toHaveLength(2);
      expect(await store.findRecorded([], 8)).toEqual([]);
    });

    test('unsettled outputs are kept until progress names them settled, each as last saved', async () => {
      await store.saveUnsettled([output(1), output(2)]);
      await store.saveUnsettled([output(3)]);
      await save(4, [5]);
      expect(sorted(await store.loadUnsettled())).toEqual([output(1), output(2), output(3)]);
      const partlyLeft = { ...output(3), leftBaseUnits: 2n ** 70n };
      const settledIds = [output(1).outputId, 'not one of them'];
      await save(5, [6], { unsettled: { saved: [partlyLeft, output(4)], settledIds } });
      expect(sorted(await store.loadUnsettled())).toEqual([output(2), partlyLeft, output(4)]);
      await store.saveUnsettled([output(3)]);
      expect(sorted(await store.loadUnsettled())).toEqual([output(2), output(3), output(4)]);
    });

    test('reorged-out outputs are replaced together with the unsettled ones, and kept if they are omitted', async () => {
      const reorged = [{ output: output(1), leftBaseUnits: 2n ** 70n, lastHeight: 5 }];
      await store.saveUnsettled([output(2)], reorged);
      expect(await store.loadReorged()).toEqual(reorged);
      await store.saveUnsettled([output(3)]);
      expect(await store.loadReorged()).toEqual(reorged);
      await store.saveUnsettled([output(3)], []);
      expect(await store.loadReorged()).toEqual([]);
    });
  });
}

function hashOf(height: number): string {
  return height.toString(16).padStart(64, '0');
}

function block(height: number): ScannedBlock {
  return { height, blockHash: hashOf(height), outputs: height % 2 === 0 ? [] : [output(height)] };
}

/** An amount above 2^53, which reveals a store that converts to a number. */
function output(index: number): TrackedOutput {
  const txid = index.toString(16).padStart(64, 'a');
  return {
    outputId: `${txid}:0`,
    txid,
    watchKey: '0014aa',
    asset: 'LTC',
    amountBaseUnits: 9_007_199_254_740_993n + BigInt(index),
    firstSeenAt: 1_700_000_000_000 + index,
    spends: [`${txid}:1`],
  };
}

function sorted(outputs: readonly TrackedOutput[]): TrackedOutput[] {
  return [...outputs].sort((a, b) => (a.outputId < b.outputId ? -1 : 1));
}

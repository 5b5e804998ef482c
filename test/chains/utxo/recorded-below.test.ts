import { expect, test } from 'vitest';
import type { TrackedOutput } from '../../../src/chains/index.ts';
import { loadMemory } from '../../../src/chains/sync/memory.ts';
import { withoutRecordedBelow } from '../../../src/chains/utxo/disconnect-reorged.ts';
import { createMemoryStore } from '../support/watcher-store.ts';

const OUTPUT: TrackedOutput = {
  outputId: 'aa:0',
  txid: 'aa',
  watchKey: '51',
  asset: 'LTC',
  amountBaseUnits: 1n,
  firstSeenAt: 1,
  spends: [],
};
const GONE = { output: OUTPUT, status: { kind: 'gone', reason: 'evicted' } } as const;

test('an output that came through the mempool and was replaced is not looked for in old blocks', async () => {
  const { memory, find, requested } = await withOldBlock();
  memory.unsettled.set(OUTPUT.outputId, { output: OUTPUT, wasReorged: false });
  expect(await find()).toEqual([GONE]);
  expect(requested()).toBe(0);
});

test('an output that was unsettled before the start is found in the old block of the best chain that has it', async () => {
  const { memory, find, requested } = await withOldBlock();
  expect(memory.unsettled.get(OUTPUT.outputId)).toMatchObject({ wasLoaded: true });
  expect(await find()).toEqual([{ output: OUTPUT, status: { kind: 'block', height: 4, blockHash: '04' } }]);
  expect(await find('another block')).toEqual([GONE]);
  expect(requested()).toBe(2);
});

async function withOldBlock() {
  const store = createMemoryStore();
  const cursor = { height: 6, blockHash: '06' };
  const blocks = [4, 5, 6].map((height) => {
    return { height, blockHash: `0${height}`, outputs: height === 4 ? [OUTPUT] : [] };
  });
  await store.saveProgress({ forkHeight: 3, blocks, cursor, tipHeight: 6, syncedUntil: null });
  await store.saveUnsettled([OUTPUT]);
  let times = 0;
  const findRecorded: typeof store.findRecorded = (...question) => {
    times += 1;
    return store.findRecorded(...question);
  };
  const memory = await loadMemory(store, 2);
  return {
    memory,
    requested: () => times,
    find: (blockHash = '04') =>
      withoutRecordedBelow(
        { store: { ...store, findRecorded }, node: { blockHashes: async (heights) => heights.map(() => blockHash) } },
        memory,
        [GONE],
      ),
  };
}

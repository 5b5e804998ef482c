import { expect, test } from 'vitest';
import type { TrackedOutput } from '../../../src/chains/index.ts';
import { findingsInBlocks } from '../../../src/chains/sync/findings.ts';
import { disconnectAbove, loadMemory, noteAllReported } from '../../../src/chains/sync/memory.ts';
import { createMemoryStore } from '../support/watcher-store.ts';

/** Steps are counted, not time. */

const BLOCKS = 500;

test('a poll compares the newest blocks, however many were scanned since the start', async () => {
  let reads = 0;
  const memory = await loadMemory(createMemoryStore(), 10);
  for (let height = 0; height < BLOCKS; height += 1) {
    memory.chain.append({ height, blockHash: `${height}`, outputs: [outputIn(height, () => (reads += 1))] });
    const findings = findingsInBlocks(memory);
    expect(findings.map(({ output }) => output.txid)).toEqual([`${height}`]);
    for (const { output, status } of findings) memory.reported.set(output.outputId, status);
    memory.savedHeight = height;
    noteAllReported(memory);
  }
  reads = 0;
  expect(findingsInBlocks(memory)).toEqual([]);
  expect(reads).toBeLessThan(50);
  expect(memory.reported.size).toBeLessThan(50);

  disconnectAbove(memory, BLOCKS - 100);
  expect(memory.unsettled.size).toBe(99);
  memory.chain.append({ height: BLOCKS - 99, blockHash: 'other', outputs: [outputIn(BLOCKS - 1, () => 0)] });
  expect(findingsInBlocks(memory)).toMatchObject([{ status: { kind: 'block', blockHash: 'other' } }]);
});

function outputIn(height: number, noteRead: () => void): TrackedOutput {
  return {
    get outputId() {
      noteRead();
      return `${height}:0`;
    },
    txid: `${height}`,
    watchKey: '51',
    asset: 'DOGE',
    amountBaseUnits: 1n,
    firstSeenAt: 1,
    spends: [],
  };
}

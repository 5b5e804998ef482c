import { expect, test } from 'vitest';
import type { TrackedOutput } from '../../../src/chains/index.ts';
import { findingsInBlocks } from '../../../src/chains/sync/findings.ts';
import { COMPARED_BLOCKS, disconnectAbove, forgetOldReports, loadMemory } from '../../../src/chains/sync/memory.ts';
import { LOCK_DEPTH_BLOCKS } from '../../../src/chains/utxo/locks.ts';
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
    forgetOldReports(memory);
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

test('a second reorganisation does not drop an output of a block that is to be saved again', async () => {
  const memory = await loadMemory(createMemoryStore(), 10);
  for (let height = 0; height <= 100; height += 1) {
    memory.chain.append({ height, blockHash: `${height}`, outputs: [outputIn(height, () => 0)] });
    for (const { output, status } of findingsInBlocks(memory)) memory.reported.set(output.outputId, status);
    memory.savedHeight = height;
    forgetOldReports(memory);
  }
  disconnectAbove(memory, 99);
  memory.savedHeight = 59;
  disconnectAbove(memory, 65);
  expect([...memory.unsettled.keys()]).toHaveLength(35);
  // What is saved again is sent again; the sink leaves out what payments know.
  expect(findingsInBlocks(memory)).toMatchObject([60, 61, 62, 63, 64, 65].map((height) => ({ status: { height } })));
});

test('what was reported of the blocks that are asked for locks is remembered', () => {
  expect(COMPARED_BLOCKS).toBeGreaterThanOrEqual(LOCK_DEPTH_BLOCKS);
});

function outputIn(height: number, countRead: () => void): TrackedOutput {
  return {
    get outputId() {
      countRead();
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

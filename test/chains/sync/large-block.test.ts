import { expect, test } from 'vitest';
import type { TrackedOutput } from '../../../src/chains/index.ts';
import { createChainMemory } from '../../../src/chains/sync/chain-memory.ts';
import { findingsInBlocks } from '../../../src/chains/sync/findings.ts';
import { findingsGone } from '../../../src/chains/sync/gone-outputs.ts';
import { loadMemory } from '../../../src/chains/sync/memory.ts';
import { createMemoryStore } from '../support/watcher-store.ts';

/** Anyone can pay one address many times in one block. Counts steps, not time. */

const OUTPUTS = 5_000;
/** Reads of an output's id that each output may cost in one poll, however many others there are. */
const READS_EACH = 20;

test('matching thousands of outputs in one block takes linear work', async () => {
  let reads = 0;
  const outputs = Array.from({ length: OUTPUTS }, (_, vout): TrackedOutput => {
    return {
      get outputId() {
        reads += 1;
        return `aa:${vout}`;
      },
      txid: 'aa',
      watchKey: '51',
      asset: 'DOGE',
      amountBaseUnits: 1n,
      firstSeenAt: 1,
      spends: [],
    };
  });
  const chain = createChainMemory([{ height: 7, blockHash: '07', outputs: [] }]);
  const memory = { ...(await loadMemory(createMemoryStore(), 10)), chain };
  for (const [vout, output] of outputs.entries()) memory.unsettled.set(`aa:${vout}`, { output, wasReorged: false });
  chain.append({ height: 8, blockHash: '08', outputs });
  expect(findingsInBlocks(memory)).toHaveLength(OUTPUTS);
  expect(findingsGone(memory, [], () => new Set())).toEqual([]);
  chain.disconnect(7);
  chain.adopt(7, outputs);
  expect(findingsInBlocks(memory)).toHaveLength(OUTPUTS);
  expect(reads).toBeLessThan(OUTPUTS * READS_EACH);
});

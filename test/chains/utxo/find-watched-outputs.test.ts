import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadMemory } from '../../../src/chains/sync/memory.ts';
import { createScanner, type WatchedKeys } from '../../../src/chains/utxo/find-watched-outputs.ts';
import { readBlock } from '../../../src/chains/utxo/raw-block.ts';
import { BITCOIN_FORMAT } from '../../../src/chains/utxo/raw-reader.ts';
import { createWatchedScripts } from '../../../src/chains/watched-scripts.ts';
import { coin, script } from '../../support/nodes/fake-utxo-node.ts';
import { assertAsyncProperty } from '../../support/run/fast-check.ts';
import { level } from '../../support/run/level.ts';
import { type BuiltTransaction, buildBlock, buildTransaction } from '../support/raw-builder.ts';
import { createMemoryStore } from '../support/watcher-store.ts';

const KEYS = 12;
const NOW = 1_800_000_000_000;
const key = fc.nat({ max: KEYS - 1 });

/** Blocks with and without witnesses, with lists that need more than one byte for their length. */
const block = fc
  .array(
    fc.record({
      inputs: fc.integer({ min: 1, max: 3 }),
      keys: fc.oneof(
        { weight: 9, arbitrary: fc.array(key, { maxLength: 4 }) },
        fc.array(key, { minLength: 253, maxLength: 260 }),
      ),
      witnessBytes: fc.constantFrom(0, 1, 72, 300, 70_000),
    }),
    { maxLength: 8 },
  )
  .map((payments) => payments.map(({ inputs, keys, witnessBytes }, index) => pay(index, inputs, keys, witnessBytes)));

function pay(index: number, inputs: number, keys: readonly number[], witnessBytes: number): BuiltTransaction {
  const spends = Array.from({ length: inputs }, (_, input) => coin(index * 10 + input));
  const outputs = keys.map((each, vout) => ({
    scriptHex: script(each),
    valueBaseUnits: BigInt(vout) * 7n + 2n ** 60n,
  }));
  const unlockings = spends.map(() => (witnessBytes === 0 ? {} : { witness: [Buffer.alloc(witnessBytes, 1)] }));
  return buildTransaction(spends, outputs, index, unlockings);
}

async function scan(hex: string, watched: WatchedKeys) {
  const memory = await loadMemory(createMemoryStore(), 10);
  const { outputs } = createScanner(memory, 'BTC', watched).scanBlock(readBlock(hex, BITCOIN_FORMAT), 7, 'aa', NOW);
  return outputs;
}

describe('scanning a block', () => {
  test('finds every watched output with its amount, looked up by bytes or by hex, and no other', async () => {
    await assertAsyncProperty(
      fc.asyncProperty(block, fc.uniqueArray(key), async (transactions, watchedKeys) => {
        const { hex } = buildBlock('11'.repeat(32), 7, 1_700_000_000, 1, transactions);
        const byHex = new Set(watchedKeys.map(script));
        const byBytes = createWatchedScripts();
        for (const each of byHex) byBytes.add(each);
        const found = await scan(hex, byBytes);
        expect(await scan(hex, byHex)).toEqual(found);
        const expected = transactions.flatMap(({ txid, spends, outputs }) =>
          outputs.flatMap(({ scriptHex, valueBaseUnits }, vout) =>
            byHex.has(scriptHex)
              ? [{ outputId: `${txid}:${vout}`, txid, watchKey: scriptHex, amountBaseUnits: valueBaseUnits, spends }]
              : [],
          ),
        );
        expect(found).toHaveLength(expected.length);
        for (const [index, output] of expected.entries()) expect(found[index]).toMatchObject(output);
      }),
      { numRuns: level.runs(200) },
    );
  });

  test('finds an unsettled output although its script is no longer watched, and dates it by its first sighting', async () => {
    const paid = pay(1, 1, [3, 4], 0);
    const { hex } = buildBlock('11'.repeat(32), 7, 1_700_000_000, 1, [paid]);
    const memory = await loadMemory(createMemoryStore(), 10);
    const output = {
      outputId: `${paid.txid}:1`,
      txid: paid.txid,
      watchKey: script(4),
      asset: 'BTC' as const,
      amountBaseUnits: 2n ** 60n + 7n,
      firstSeenAt: 1_699_999_000_000,
      spends: paid.spends,
    };
    memory.unsettled.set(output.outputId, { output, wasReorged: false });
    const none = createWatchedScripts();
    const { outputs } = createScanner(memory, 'BTC', none).scanBlock(readBlock(hex, BITCOIN_FORMAT), 7, 'aa', NOW);
    expect(outputs).toEqual([output]);
  });

  test('records the unsettled transactions whose coins a block spends in another one', async () => {
    const lost = pay(1, 2, [3], 0);
    const thief = buildTransaction([lost.spends[1] ?? ''], [{ scriptHex: script(9), valueBaseUnits: 1n }]);
    const { hex } = buildBlock('11'.repeat(32), 7, 1_700_000_000, 1, [thief]);
    const memory = await loadMemory(createMemoryStore(), 10);
    const output = {
      outputId: `${lost.txid}:0`,
      txid: lost.txid,
      watchKey: script(3),
      asset: 'BTC' as const,
      amountBaseUnits: 1n,
      firstSeenAt: 1,
      spends: lost.spends,
    };
    memory.unsettled.set(output.outputId, { output, wasReorged: false });
    createScanner(memory, 'BTC', new Set<string>()).scanBlock(readBlock(hex, BITCOIN_FORMAT), 7, 'aa', NOW);
    expect([...memory.conflictedTxids]).toEqual([lost.txid]);
  });
});

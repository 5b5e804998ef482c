import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { EvmMemory } from '../../../src/chains/evm/evm-memory.ts';
import { createFirstSeenTimes } from '../../../src/chains/evm/outputs/first-seen-times.ts';
import { balanceOutputId, internalOutputId } from '../../../src/chains/evm/outputs/output-id.ts';
import type { TrackedOutput } from '../../../src/chains/port.ts';
import { COIN } from '../../support/nodes/fake-evm-node.ts';
import { assertProperty } from '../../support/run/fast-check.ts';

const ADDRESS = `0x${'ab'.repeat(20)}`;
const IN_TIME = 1_000;
const NOW = 9_000;

/** Two parts of a payment, and the blocks they are in before and after a reorganisation. */
const history = fc.record({
  amounts: fc.tuple(fc.bigInt({ min: 1n, max: 3n }), fc.bigInt({ min: 1n, max: 3n })),
  isTraced: fc.tuple(fc.boolean(), fc.boolean()),
  isTracedAgain: fc.tuple(fc.boolean(), fc.boolean()),
  /** Whether the second part is now in the earlier block. */
  isSwapped: fc.boolean(),
  isReversed: fc.boolean(),
});

test('each part of a payment keeps a time in which it was seen, traced or not, in whatever order they are found', () => {
  assertProperty(
    fc.property(history, ({ amounts, isTraced, isTracedAgain, isSwapped, isReversed }) => {
      const before = amounts.map((amount, part) =>
        outputOf({ part, amount, height: 5 + part, isTraced: isTraced[part] }),
      );
      const memory = memoryOf(before.map((output, part) => ({ ...output, firstSeenAt: IN_TIME + part })));
      const heightOf = (part: number) => (isSwapped ? 9 - part : 8 + part);
      const after = amounts.map((amount, part) => {
        const height = heightOf(part);
        return { height, output: outputOf({ part, amount, height, isTraced: isTracedAgain[part] }) };
      });
      const kept = createFirstSeenTimes(memory).keep(isReversed ? after.toReversed() : after, {
        minedAt: new Map([0, 1].map((part) => [txidOf(part), heightOf(part)])),
        replacedTxids: new Set(),
        yetToPayTxids: new Set(),
      });
      const late = kept.filter(({ output }) => output.firstSeenAt >= NOW);
      expect(late).toEqual([]);
      expect(kept.reduce((sum, { output }) => sum + output.amountBaseUnits, 0n)).toBe(amounts[0] + amounts[1]);
    }),
  );
});

// Helpers

function txidOf(part: number): string {
  return `0x${String(part + 1).repeat(64)}`;
}

interface Found {
  readonly part: number;
  readonly amount: bigint;
  readonly height: number;
  readonly isTraced: boolean | undefined;
}

function outputOf({ part, amount, height, isTraced }: Found): TrackedOutput {
  const found = { watchKey: ADDRESS, asset: COIN, amountBaseUnits: amount, firstSeenAt: NOW + height } as const;
  const txid = txidOf(part);
  return isTraced === true
    ? { ...found, outputId: internalOutputId(txid, ADDRESS), txid, spends: [`sender ${part}:1`] }
    : {
        ...found,
        outputId: balanceOutputId(ADDRESS, height, `0x${String(height).repeat(64)}`),
        txid: null,
        spends: [`${ADDRESS}:after:${height - 1}`],
      };
}

/** A memory in which these outputs are in no block any more. */
function memoryOf(outputs: readonly TrackedOutput[]): EvmMemory {
  const unsettled = new Map(outputs.map((output) => [output.outputId, { output, wasReorged: true }]));
  const chain = { find: () => null, above: () => [] };
  return { unsettled, chain, reorged: new Map() } as unknown as EvmMemory;
}

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RescanRange, Watcher } from '../../src/chains/index.ts';
import { rescanInParts } from '../../src/cli/chain/rescan.ts';
import { RetryableError } from '../../src/platform/errors.ts';
import { assertAsyncProperty } from '../support/run/fast-check.ts';

/**
 * A chain of `tip` blocks after the first, one output in each. `trouble` may return an error for a
 * query.
 */
function chainOf(tip: number, trouble: () => Error | null = () => null) {
  const read: RescanRange[] = [];
  const watcher: Watcher = {
    network: 'litecoin-regtest',
    async step() {
      const error = trouble();
      if (error !== null) throw error;
    },
    verify: () => Promise.reject(new Error('not expected')),
    async rescan(range) {
      const error = trouble();
      if (error !== null) throw error;
      read.push(range);
      const blocks = range.toHeight - range.fromHeight + 1;
      return { blocks, outputs: blocks };
    },
    search: () => Promise.reject(new Error('not expected')),
    status: () => ({
      network: 'litecoin-regtest',
      cursorHeight: tip,
      tipHeight: tip,
      syncedUntil: null,
      lastError: null,
      warnings: [],
    }),
  };
  return { watcher, read };
}

describe('a rescan in parts', () => {
  test('reads every block of the range once, in order, in parts of the requested size, and sums up the results', async () => {
    const range = fc
      .tuple(fc.nat(300), fc.nat(300), fc.integer({ min: 1, max: 60 }), fc.nat(50))
      .map(([a, b, size, above]) => ({ from: Math.min(a, b), to: Math.max(a, b), size, tip: Math.max(a, b) + above }));
    await assertAsyncProperty(
      fc.asyncProperty(range, fc.boolean(), async ({ from, to, size, tip }, isOpen) => {
        const { watcher, read } = chainOf(tip);
        const end = isOpen ? tip : to;
        const reported: RescanRange[] = [];
        const result = await rescanInParts(watcher, {
          fromHeight: from,
          toHeight: isOpen ? null : to,
          blocksPerPart: size,
          onPart: ({ fromHeight, toHeight }) => void reported.push({ fromHeight, toHeight }),
        });
        expect(result).toEqual({ fromHeight: from, toHeight: end, blocks: end - from + 1, outputs: end - from + 1 });
        expect(reported).toEqual(read);
        const heights = read.flatMap(({ fromHeight, toHeight }) =>
          Array.from({ length: toHeight - fromHeight + 1 }, (_, index) => fromHeight + index),
        );
        expect(heights).toEqual(Array.from({ length: end - from + 1 }, (_, index) => from + index));
        expect(read.every(({ fromHeight, toHeight }) => toHeight - fromHeight < size)).toBe(true);
      }),
    );
  });

  test('restarts a part when another process took over the network or the tip moved', async () => {
    const codes = ['WATCHER_FENCED', 'TIP_MOVED', 'WATCHER_FENCED'];
    let questions = 0;
    const { watcher, read } = chainOf(20, () => {
      questions += 1;
      const code = questions > 2 ? codes.pop() : undefined;
      return code === undefined ? null : new RetryableError(code, 'again', { retryAfterMs: 1 });
    });
    const result = await rescanInParts(watcher, options(0, 20));
    expect(result.outputs).toBe(21);
    expect(read).toHaveLength(3);
  });

  test('gives up on a part that never succeeds', async () => {
    const { watcher, read } = chainOf(20, () => new RetryableError('WATCHER_FENCED', 'again', { retryAfterMs: 1 }));
    await expect(rescanInParts(watcher, options(0, 20))).rejects.toMatchObject({ code: 'WATCHER_FENCED' });
    expect(read).toEqual([]);
  });

  test('reports a permanent error immediately', async () => {
    let questions = 0;
    const { watcher } = chainOf(20, () => {
      questions += 1;
      return new RetryableError('NODE_UNREACHABLE', 'the node does not answer', { retryAfterMs: 1 });
    });
    await expect(rescanInParts(watcher, options(0, 20))).rejects.toThrow('the node does not answer');
    expect(questions).toBe(1);
  });

  test.each([
    [5, 21],
    [21, null],
    [9, 8],
  ])('rejects blocks %j to %j of a chain that ends at 20', async (from, to) => {
    const { watcher, read } = chainOf(20);
    await expect(rescanInParts(watcher, options(from, to))).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringContaining('has blocks 0 to 20'),
    });
    expect(read).toEqual([]);
  });
});

// Helpers

function options(fromHeight: number, toHeight: number | null) {
  return { fromHeight, toHeight, blocksPerPart: 8, onPart: () => {} };
}

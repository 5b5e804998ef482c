import fc from 'fast-check';
import { describe, test } from 'vitest';
import { assertAsyncProperty } from '../../../../support/run/fast-check.ts';
import { level } from '../../../../support/run/level.ts';
import { histories } from './random-actions.ts';
import { createHistory } from './random-history.ts';

/**
 * Whatever happens to the chain, its logs and traces, the watcher and its dependencies: after an
 * undisturbed poll, the newest observations add up to what the best branch brought, and nothing is
 * reported as gone that is not.
 */

const RUNS = 800;

describe('the final report of every account', () => {
  test('equals a sequential read of the best branch, block by block, after any history', async () => {
    await assertAsyncProperty(
      fc.asyncProperty(histories, async (history) => {
        const run = createHistory({ stateBlocks: Number.POSITIVE_INFINITY, isTaxed: true });
        // Payments from before the very first poll are out of scope: no customer can have been
        // promised anything.
        await run.act({ kind: 'poll' });
        for (const each of history) await run.act(each);
        await run.finish();
      }),
      { numRuns: level.runs(RUNS) },
    );
  });

  test('is the same where a chain that is merely shorter than seen is waited for', async () => {
    await assertAsyncProperty(
      fc.asyncProperty(histories, async (history) => {
        const run = createHistory({ stateBlocks: Number.POSITIVE_INFINITY, isTaxed: true, hasRhythm: true });
        await run.act({ kind: 'poll' });
        for (const each of history) await run.act(each);
        await run.finish();
      }),
      { numRuns: level.runs(RUNS) },
    );
  });

  test('is never more than arrived, when the node keeps the state of few blocks only', async () => {
    await assertAsyncProperty(
      fc.asyncProperty(histories, fc.integer({ min: 1, max: 8 }), async (history, stateBlocks) => {
        const run = createHistory({ stateBlocks, isTaxed: false });
        await run.act({ kind: 'poll' });
        for (const each of history) await run.act(each);
        await run.finish();
      }),
      { numRuns: level.runs(RUNS) },
    );
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assertAsyncProperty } from '../../support/run/fast-check.ts';
import { level } from '../../support/run/level.ts';
import { createRun, history } from '../support/random-history.ts';

/**
 * Whatever happens to the chain, the mempool, the watcher and its dependencies: after an
 * undisturbed poll, the newest observation of every output agrees with the best branch followed by
 * the mempool.
 */

const RUNS = 1_500;

describe('the final report of every output', () => {
  test('equals the best branch and the mempool, after any history', async () => {
    await assertAsyncProperty(
      fc.asyncProperty(history, fc.boolean(), async (actions, reportsLocks) => {
        const run = createRun({ reportsLocks });
        // Payments from before the very first poll are out of scope: no customer can have been
        // promised anything.
        await run.act({ kind: 'poll' });
        for (const each of actions) await run.act(each);
        run.loadMempool();
        await run.act({ kind: 'poll' });
        run.expectLastWords();
        run.expectUnbrokenHistory();
        run.expectRisingOrders();
        const before = run.at.sink.observations.length;
        await run.act({ kind: 'poll' });
        expect(run.at.sink.observations.length).toBe(before);
      }),
      { numRuns: level.runs(RUNS) },
    );
  });
});

import { expect, test, vi } from 'vitest';
import { createPollLoop } from '../../src/platform/poll-loop.ts';
import { POLLING } from '../support/polling.ts';

test('a loop never overlaps its runs, reports the first failure of an outage, and stops after the run in progress', async () => {
  const failures: unknown[] = [];
  let runs = 0;
  let inProgress = 0;
  const loop = createPollLoop({
    async work() {
      runs += 1;
      const run = runs;
      inProgress += 1;
      expect(inProgress).toBe(1);
      await new Promise((resolve) => setImmediate(resolve));
      inProgress -= 1;
      if ([2, 3, 5].includes(run)) throw new Error(`run ${run}`);
    },
    everyMs: 0,
    onFailure: (error) => failures.push((error as Error).message),
  });
  loop.start();
  await vi.waitFor(() => expect(runs).toBeGreaterThan(5), POLLING);
  await loop.stop();
  expect(failures).toEqual(['run 2', 'run 5']);
  expect(inProgress).toBe(0);
});

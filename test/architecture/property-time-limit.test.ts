import { setTimeout as wait } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertAsyncProperty } from '../support/run/fast-check.ts';

/** Long enough for the first example, which ends at once; the second runs until after it. */
const LIMIT_MS = 1_000;
const LIMIT = { interruptAfterTimeLimit: LIMIT_MS };

test('an example that fails after the time of its property is up is a failure', async () => {
  let count = 0;
  const property = fc.asyncProperty(fc.nat(), async () => {
    count += 1;
    if (count === 1) return;
    await wait(LIMIT_MS + 100);
    throw new Error('too late');
  });
  await expect(assertAsyncProperty(property, LIMIT)).rejects.toThrow('too late');
});

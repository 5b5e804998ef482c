import { setTimeout as wait } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertAsyncProperty } from '../support/fast-check.ts';

const LIMIT = { interruptAfterTimeLimit: 50 };

test('the example that runs when the time of a property is up has ended before the test goes on', async () => {
  let running = 0;
  const property = fc.asyncProperty(fc.nat(), async () => {
    running += 1;
    await wait(40);
    running -= 1;
  });
  await assertAsyncProperty(property, LIMIT);
  expect(running).toBe(0);
});

test('an example that fails after the time of its property is up is a failure', async () => {
  let count = 0;
  const property = fc.asyncProperty(fc.nat(), async () => {
    count += 1;
    if (count === 1) return;
    await wait(100);
    throw new Error('too late');
  });
  await expect(assertAsyncProperty(property, LIMIT)).rejects.toThrow('too late');
});

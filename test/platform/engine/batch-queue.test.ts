import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createBatchQueue } from '../../../src/platform/engine/batch/batch-queue.ts';
import { deferred } from '../../support/deferred.ts';
import { level } from '../../support/run/level.ts';

interface Item {
  readonly actor: string;
  readonly index: number;
}

/** A queue whose batches run until `endOne` ends them, in any order. */
function start(parallel: number) {
  const running: { readonly batch: readonly Item[]; readonly end: () => void }[] = [];
  const done: Item[] = [];
  const sizes: number[] = [];
  const queue = createBatchQueue<Item>({
    actorOf: ({ actor }) => actor,
    parallel,
    async run(batch) {
      const held = deferred<void>();
      running.push({ batch, end: held.resolve });
      sizes.push(batch.length);
      await held.promise;
      done.push(...batch);
    },
  });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  return {
    queue,
    running,
    done,
    sizes,
    turn,
    async endOne(choice: number) {
      const [ended] = running.splice(choice % running.length, 1);
      ended?.end();
      await turn();
    },
  };
}

test('each item runs once, items of one actor in order and never in two batches at a time', async () => {
  const step = fc.oneof(
    fc.record({ add: fc.integer({ min: 1, max: 400 }), actors: fc.integer({ min: 1, max: 200 }) }),
    fc.record({ end: fc.nat({ max: 3 }) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.array(step, { maxLength: 20 }), async (parallel, steps) => {
      const harness = start(parallel);
      let added = 0;
      for (const each of steps) {
        if ('add' in each) {
          for (let count = 0; count < each.add; count += 1) {
            harness.queue.add({ actor: `${(added * 7) % each.actors}`, index: added });
            added += 1;
          }
          await harness.turn();
        } else if (harness.running.length > 0) await harness.endOne(each.end);
        const actors = harness.running.map(({ batch }) => [...new Set(batch.map(({ actor }) => actor))]).flat();
        expect(new Set(actors).size).toBe(actors.length);
        expect(harness.running.length).toBeLessThanOrEqual(parallel);
      }
      while (harness.running.length > 0) await harness.endOne(0);
      await harness.queue.drained();
      expect(harness.done.map(({ index }) => index).sort((a, b) => a - b)).toEqual(
        Array.from({ length: added }, (_, n) => n),
      );
      const last = new Map<string, number>();
      for (const { actor, index } of harness.done) {
        expect(index).toBeGreaterThan(last.get(actor) ?? -1);
        last.set(actor, index);
      }
    }),
    { numRuns: level.runs(300) },
  );
});

test('few items share one batch, which commits alone; very many are divided among parallel batches', async () => {
  const few = start(3);
  for (let index = 0; index < 100; index += 1) few.queue.add({ actor: `${index}`, index });
  await few.turn();
  for (let index = 100; index < 200; index += 1) few.queue.add({ actor: `${index}`, index });
  await few.turn();
  expect([few.sizes, few.queue.waiting]).toEqual([[100], 100]);
  await few.endOne(0);
  expect([few.sizes, few.queue.waiting]).toEqual([[100, 100], 0]);

  const many = start(3);
  for (let index = 0; index < 600; index += 1) many.queue.add({ actor: `${index}`, index });
  await many.turn();
  expect([many.sizes, many.queue.waiting]).toEqual([[200, 200, 200], 0]);
});

test('an item for an actor in a running batch waits for it, and blocks nothing else', async () => {
  const harness = start(3);
  harness.queue.add({ actor: 'busy', index: 0 });
  await harness.turn();
  for (let index = 1; index <= 300; index += 1) {
    harness.queue.add({ actor: index % 2 === 0 ? 'busy' : `${index}`, index });
  }
  await harness.turn();
  expect([harness.sizes, harness.queue.waiting]).toEqual([[1, 150], 150]);
  await harness.endOne(0);
  await harness.endOne(0);
  expect(harness.sizes).toEqual([1, 150, 150]);
  expect(harness.queue.oldestRunningMs()).toBeGreaterThanOrEqual(0);
  await harness.endOne(0);
  await harness.queue.drained();
  expect([harness.queue.waiting, harness.queue.oldestRunningMs()]).toEqual([0, null]);
});

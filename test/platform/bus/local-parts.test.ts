import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createFifo } from '../../../src/platform/bus/local/fifo.ts';
import { createRecentIds } from '../../../src/platform/bus/local/recent-ids.ts';
import { level } from '../../support/run/level.ts';

describe('the parts of the in-process bus', () => {
  test('the queue of a lane equals an array after any mix of pushes and shifts, including past its compaction', () => {
    const step = fc.record({ action: fc.constantFrom('push', 'unshift', 'shift'), times: fc.nat({ max: 1_500 }) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const fifo = createFifo<number>();
        const model: number[] = [];
        let next = 0;
        for (const { action, times } of steps) {
          for (let count = 0; count < times; count += 1) {
            next += 1;
            if (action === 'push') {
              fifo.push(next);
              model.push(next);
            } else if (action === 'unshift' && count < 3) {
              fifo.unshift(next);
              model.unshift(next);
            } else if (action === 'shift') {
              expect(fifo.shift()).toBe(model.shift());
            }
          }
          expect(fifo.length).toBe(model.length);
        }
        while (model.length > 0) expect(fifo.shift()).toBe(model.shift());
        expect(fifo.shift()).toBeUndefined();
      }),
      { numRuns: level.runs(40) },
    );
  });

  test('the id cache evicts the oldest first and never exceeds its bound', () => {
    const ids = createRecentIds(3);
    for (const id of ['a', 'b', 'c', 'd']) ids.add(id);
    expect(['a', 'b', 'c', 'd'].map(ids.has)).toEqual([false, true, true, true]);
  });
});

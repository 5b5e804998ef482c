import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { BusMessage } from '../../../src/platform/bus/index.ts';
import { MAX_HANDLER_FAILURES } from '../../../src/platform/bus/index.ts';
import { RetryableError, TerminalError } from '../../../src/platform/errors.ts';
import { level } from '../../support/run/level.ts';
import type { DescribeSuite } from '../../support/run/skip.ts';
import type { Buses, OpenBus } from './harness.ts';
import { createBuses, newQueue } from './harness.ts';

/** A handler's results for one message: these failures first, then this end. */
interface Fate {
  readonly partition: number;
  readonly before: readonly ('retryable' | 'unknown')[];
  readonly end: 'handled' | 'terminal' | 'alwaysFails';
}

const fateArbitrary: fc.Arbitrary<Fate> = fc.record({
  partition: fc.nat({ max: 3 }),
  before: fc.array(fc.constantFrom('retryable' as const, 'unknown' as const), { maxLength: 4 }),
  end: fc.oneof(
    { weight: 6, arbitrary: fc.constant('handled' as const) },
    { weight: 1, arbitrary: fc.constantFrom('terminal' as const, 'alwaysFails' as const) },
  ),
});

const POLLING = { timeout: 30_000, interval: 5 };

/** Whatever handlers do, every message ends either handled or as a dead letter, never both. */
export function describeNothingLost(describe: DescribeSuite, name: string, openBus: OpenBus, runs: number): void {
  describe(`${name} loses nothing`, () => {
    let buses: Buses;
    beforeEach(() => {
      buses = createBuses(openBus);
    });
    afterEach(() => buses.closeAll());

    test('every message is either handled or a dead letter, never both, under any mix of failures', async () => {
      const bus = buses.open();
      const property = fc.asyncProperty(
        fc.array(fateArbitrary, { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 1, max: 5 }),
        async (fates, maxInFlightPerPartition) => {
          const queue = newQueue();
          const handled: string[] = [];
          const failuresSoFar = new Map<string, number>();
          const messages = fates.map((fate, index): BusMessage => {
            return { queue, partition: fate.partition, id: `${queue}-${index}`, data: index };
          });
          const partitions = [0, 1, 2, 3];
          const subscription = await bus.subscribe({ queue, maxInFlightPerPartition, partitions }, async (received) => {
            const step = failuresSoFar.get(received.id) ?? 0;
            failuresSoFar.set(received.id, step + 1);
            meetFate(fates[Number(received.data)], step);
            handled.push(received.id);
          });
          await Promise.all(messages.map((message) => bus.publish(message)));
          const buried = () =>
            buses.deadLetters.map((dead) => dead.message.id).filter((id) => id.startsWith(`${queue}-`));
          await vi.waitFor(() => expect(handled.length + buried().length).toBe(messages.length), POLLING);
          await subscription.stop();
          expect(handled.sort()).toEqual(idsWith(messages, fates, (fate) => fate.end === 'handled'));
          expect(buried().sort()).toEqual(idsWith(messages, fates, (fate) => fate.end !== 'handled'));
        },
      );
      await fc.assert(property, { numRuns: level.runs(runs), endOnFailure: true });
    });
  });
}

function meetFate(fate: Fate | undefined, step: number): void {
  const failure = fate?.before[step];
  if (failure === 'retryable') throw new RetryableError('BUSY', 'later', { retryAfterMs: 1 });
  if (failure === 'unknown') throw new TypeError('a bug that goes away');
  if (fate?.end === 'terminal') throw new TerminalError('POISON', 'never');
  if (fate?.end === 'alwaysFails') throw new Error(`a bug that stays, for ${MAX_HANDLER_FAILURES} times`);
}

function idsWith(messages: readonly BusMessage[], fates: readonly Fate[], keeps: (fate: Fate) => boolean): string[] {
  const ids = messages.flatMap((message, index) => {
    const fate = fates[index];
    return fate !== undefined && keeps(fate) ? [message.id] : [];
  });
  return ids.sort();
}

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Observation, OutputStatus } from '../../../src/chains/index.ts';
import { createObservationSink } from '../../../src/payments/index.ts';
import type { Bus, BusMessage } from '../../../src/platform/bus/index.ts';
import type { Engine, EventCommand } from '../../../src/platform/engine/index.ts';
import { RetryableError } from '../../../src/platform/errors.ts';
import { describeDatabases, type TestDatabase } from '../../support/database/test-database.ts';
import { assertAsyncProperty } from '../../support/run/fast-check.ts';
import { level } from '../../support/run/level.ts';
import { silentLog } from '../../support/silent-log.ts';
import {
  inBlock,
  LITECOIN,
  newWallet,
  observe,
  type StartedPayment,
  startEngine,
  startPayment,
  takeTurn,
} from './sink-support.ts';

type Db = TestDatabase['db'];

const FENCED = { name: 'RetryableError', code: 'WATCHER_FENCED' };
const COUNTER_SPAN = 2 ** 32;

describeDatabases('observations that payments already have', (database) => {
  const db = () => database().db;

  async function open() {
    const engine = startEngine(db());
    const wallet = { derivationKeyId: await newWallet(db(), LITECOIN), network: LITECOIN, crypto: 'LTC' } as const;
    return openHarness(db(), engine, await startPayment(db(), engine, wallet));
  }

  test('are not sent again by a watcher that starts, however often', async () => {
    const harness = await open();
    const seen = [harness.output(), harness.output()];
    await harness.takeTurn();
    await harness.report([{ ...seen[0], status: inBlock(5) }, seen[1]] as Observation[]);
    await harness.deliverAll();
    for (let start = 0; start < 3; start += 1) {
      await harness.takeTurn();
      await harness.report([{ ...seen[0], status: inBlock(5) }, seen[1]] as Observation[]);
    }
    expect(harness.bus.undelivered()).toBe(0);
  });

  test('keep the amount proven for their block when one is read again without its state', async () => {
    for (const isRecorded of [true, false]) {
      const harness = await open();
      const proven = { ...harness.output(), status: inBlock(5) };
      const claimed = { ...proven, amountBaseUnits: proven.amountBaseUnits + 20n, isUnproven: true } as const;
      await harness.takeTurn();
      await harness.report([proven]);
      if (isRecorded) await harness.deliverAll();
      await harness.report([claimed], { isForced: true });
      await harness.report([{ ...claimed, status: inBlock(6) }]);
      const sent = harness.bus
        .unhandled()
        .map(({ data }) => (data as EventCommand).event as unknown as { amountBaseUnits: string; height: number });
      const amounts = new Set(sent.map(({ amountBaseUnits, height }) => `${amountBaseUnits} in ${height}`));
      expect(amounts).toEqual(new Set([`${proven.amountBaseUnits} in 5`, `${claimed.amountBaseUnits} in 6`]));
    }
  });

  test('are sent on a forced report', async () => {
    const harness = await open();
    const seen = harness.output();
    await harness.takeTurn();
    await harness.report([seen]);
    await harness.deliverAll();
    await harness.report([seen], { isForced: true });
    expect(harness.bus.undelivered()).toBe(1);
  });

  test('do not include another amount or a block of the same height', async () => {
    const harness = await open();
    const seen = { ...harness.output(), status: inBlock(5) };
    await harness.takeTurn();
    await harness.report([seen]);
    await harness.deliverAll();
    const news: Observation[] = [
      { ...seen, amountBaseUnits: seen.amountBaseUnits - 1n },
      { ...seen, status: { kind: 'block', height: 5, blockHash: 'another' } },
      { ...seen, status: { kind: 'confirmed', height: 5, blockHash: 'block-5' } },
    ];
    for (const each of news) {
      await harness.report([each]);
      expect(harness.bus.undelivered()).toBe(1);
      harness.bus.forget();
      await harness.report([seen], { isForced: true });
      await harness.deliverAll();
    }
  });

  test('include the first sighting: a block with another time is not new', async () => {
    const harness = await open();
    const seen = { ...harness.output(), status: inBlock(5) };
    await harness.takeTurn();
    await harness.report([seen]);
    await harness.deliverAll();
    for (const offset of [-60_000, 60_000]) {
      await harness.takeTurn();
      await harness.report([{ ...seen, firstSeenAt: seen.firstSeenAt + offset }]);
      expect(harness.bus.undelivered()).toBe(0);
    }
  });

  test('keep their first sighting, sent or recorded, in whatever order later ones are processed', async () => {
    for (const isRecorded of [true, false]) {
      const harness = await open();
      const seen = harness.output();
      const block = { ...seen, firstSeenAt: seen.firstSeenAt - 60_000, status: inBlock(5) };
      await harness.takeTurn();
      await harness.report([seen]);
      if (isRecorded) await harness.deliverAll();
      // The watcher has forgotten the output in between and takes the time of the block.
      await harness.report([block]);
      await harness.report([{ ...block, status: { kind: 'gone', reason: 'reorged' } }], { isForced: true });
      const sent = harness.bus
        .unhandled()
        .map(({ data }) => (data as EventCommand).event as unknown as { firstSeenAt: number });
      expect(new Set(sent.map(({ firstSeenAt }) => firstSeenAt))).toEqual(new Set([seen.firstSeenAt]));
      await harness.deliverAll(3);
      expect(await harness.statuses()).toEqual({ [seen.outputId]: 'gone' });
    }
  });

  test('name the first of several reports in progress, since only the newest may reach the payment', async () => {
    const harness = await open();
    const seen = harness.output();
    await harness.takeTurn();
    await harness.report([seen]);
    await harness.report([{ ...seen, status: inBlock(5) }]);
    await harness.report([{ ...seen, status: { kind: 'gone', reason: 'reorged' } }]);
    const [first, ...later] = harness.bus
      .unhandled()
      .map(({ data }) => (data as EventCommand).event as unknown as Pick<Observation, 'order' | 'firstSeenOrder'>);
    expect(first).not.toHaveProperty('firstSeenOrder');
    expect(later.map(({ firstSeenOrder }) => firstSeenOrder)).toEqual([first?.order, first?.order]);
  });

  test('are sent again under the same id while no payment has processed them, so that the broker deduplicates', async () => {
    const harness = await open();
    const seen = harness.output();
    await harness.takeTurn();
    harness.bus.reject(true);
    await expect(harness.report([seen])).rejects.toMatchObject({ code: 'BUS_PUBLISH_FAILED' });
    harness.bus.reject(false);
    await harness.takeTurn();
    await harness.report([seen]);
    await harness.report([seen]);
    expect(new Set(harness.bus.ids()).size).toBe(1);
    expect(harness.bus.undelivered()).toBe(2);
    await harness.deliverAll();
    expect(await harness.statuses()).toMatchObject({ [seen.outputId]: 'mempool' });
  });

  test('are not affected by a replaced watcher: it records nothing and sends nothing', async () => {
    const harness = await open();
    const seen = { ...harness.output(), status: inBlock(5) };
    const stalled = await harness.takeTurn();
    await harness.report([seen]);
    await harness.takeTurn();
    await harness.report([seen]);
    const gone = { ...seen, status: { kind: 'gone', reason: 'reorged' } } as const;
    await expect(harness.report([gone], { epoch: stalled })).rejects.toMatchObject(FENCED);
    await harness.deliverAll();
    expect(await harness.statuses()).toEqual({ [seen.outputId]: 'block block-5' });
  });

  test('are correct in the end, whatever was sent, lost, repeated and overtaken, by any watcher', async () => {
    const harness = await open();
    const status = fc.constantFrom<OutputStatus>({ kind: 'mempool' }, inBlock(5), inBlock(6), {
      kind: 'gone',
      reason: 'reorged',
    });
    const step = fc.oneof(
      { weight: 3, arbitrary: fc.record({ kind: fc.constant('chain' as const), output: fc.nat(2), status }) },
      {
        weight: 3,
        arbitrary: fc.record({
          kind: fc.constant('reported' as const),
          outputs: fc.subarray([0, 1, 2]),
          dies: fc.boolean(),
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          kind: fc.constant('reported by a replaced watcher' as const),
          output: fc.nat(2),
          status,
        }),
      },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('turn' as const) }) },
      {
        weight: 4,
        arbitrary: fc.record({ kind: fc.constant('delivered' as const), pick: fc.nat(), again: fc.boolean() }),
      },
    );
    await assertAsyncProperty(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), fc.nat(), async (steps, seed) => {
        const outputs = [harness.output(), harness.output(), harness.output()];
        const truth = new Map<Observation, OutputStatus>();
        const seenOf = (places: readonly number[]) =>
          places.flatMap((at) =>
            [...truth].filter(([each]) => each === outputs[at]).map(([each, status]) => ({ ...each, status })),
          );
        await harness.takeTurn();
        for (const each of steps) {
          if (each.kind === 'chain') truth.set(outputs[each.output] as Observation, each.status);
          else if (each.kind === 'turn') await harness.takeTurn();
          else if (each.kind === 'delivered') await harness.deliver(each.pick, each.again);
          else if (each.kind === 'reported') {
            harness.bus.reject(each.dies);
            await harness
              .report(seenOf(each.outputs))
              .catch((error: unknown) => expect(error).toMatchObject({ code: 'BUS_PUBLISH_FAILED' }));
            harness.bus.reject(false);
          } else {
            const lie = { ...(outputs[each.output] as Observation), status: each.status };
            // A known observation is filtered out, so the fencing check need not reject it.
            await harness
              .report([lie], { epoch: harness.epoch() - 1 })
              .catch((error: unknown) => expect(error).toMatchObject(FENCED));
          }
        }
        await harness.takeTurn();
        await harness.report(seenOf([0, 1, 2]));
        await harness.deliverAll(seed);
        const known = await harness.statuses();
        for (const [output, status] of truth) expect(known[output.outputId]).toBe(inWords(status));
        await harness.takeTurn();
        await harness.report(seenOf([0, 1, 2]).filter(({ status }) => status.kind !== 'gone'));
        expect(harness.bus.undelivered()).toBe(0);
      }),
      { numRuns: level.runs(database().kind === 'postgres' ? 60 : 25) },
    );
  });
});

// Helpers

/** One payment, a broker that may reject messages, and successive watchers. */
function openHarness(db: Db, engine: Engine, { watchKey, transactionId }: StartedPayment) {
  const bus = createShakyBus();
  const sink = createObservationSink({ db, bus, log: silentLog, publicUrl: 'https://pay.example' });
  let epoch = 0;
  let counter = 0;

  async function deliver(pick: number, again: boolean): Promise<void> {
    const message = bus.take(pick, again);
    if (message !== undefined) await engine.deliver(message.data as EventCommand);
  }

  return {
    bus,
    deliver,
    epoch: () => epoch,
    output: () => observe({ network: LITECOIN, watchKey, asset: 'LTC' }),
    async takeTurn() {
      epoch = await takeTurn(db, LITECOIN);
      return epoch;
    },
    async report(observations: readonly Observation[], { epoch: own = epoch, isForced = false } = {}) {
      const ordered = observations.map((each) => {
        counter += 1;
        return { ...each, order: own * COUNTER_SPAN + counter };
      });
      await sink(ordered, { epoch: own, isForced });
    },
    async deliverAll(seed = 0) {
      for (let pick = seed; bus.undelivered() > 0; pick = pick * 7 + 3) await deliver(pick % 1_009, false);
    },
    async statuses(): Promise<Record<string, string>> {
      const rows = await db
        .selectFrom('payment')
        .select(['output_id', 'presence', 'block_hash'])
        .where('transaction_id', '=', transactionId)
        .execute();
      return Object.fromEntries(
        rows.map((row) => [
          row.output_id,
          row.block_hash === null ? row.presence : `${row.presence} ${row.block_hash}`,
        ]),
      );
    },
  };
}

function inWords(status: OutputStatus): string {
  return 'blockHash' in status ? `${status.kind} ${status.blockHash}` : status.kind;
}

/** Delivers messages in any order and more than once; a rejected one may have been announced. */
function createShakyBus() {
  const messages: BusMessage[] = [];
  const ids: string[] = [];
  let isRejecting = false;
  const bus: Bus = {
    publish: async (message) => {
      if (isRejecting) throw new RetryableError('BUS_PUBLISH_FAILED', 'the broker is away');
      messages.push(message);
      ids.push(message.id);
    },
    subscribe: async () => ({ stop: async () => {} }),
    isHealthy: async () => true,
    waiting: async () => new Map(),
    close: async () => {},
  };
  return {
    ...bus,
    ids: () => ids,
    undelivered: () => messages.length,
    unhandled: () => [...messages],
    forget: () => void messages.splice(0),
    reject: (isSo: boolean) => {
      isRejecting = isSo;
    },
    take(pick: number, again: boolean): BusMessage | undefined {
      const index = pick % Math.max(1, messages.length);
      return again ? messages[index] : messages.splice(index, 1)[0];
    },
  };
}

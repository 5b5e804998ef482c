import { expect, test } from 'vitest';
import type { Observation, ReportOptions } from '../../../src/chains/index.ts';
import { createChainMemory } from '../../../src/chains/sync/chain-memory.ts';
import type { WatcherMemory } from '../../../src/chains/sync/memory.ts';
import { createReporter, type Finding } from '../../../src/chains/sync/reporter.ts';
import { RetryableError } from '../../../src/platform/errors.ts';
import { createMemoryStore } from '../support/watcher-store.ts';

const COUNTER_SPAN = 2 ** 32;

test('reports many observations in batches, in one increasing order with its epoch', async () => {
  const { reporter, received } = open();
  await reporter.ready();
  await reporter.report(emptyMemory(), findings(600), { isForced: true });
  expect(received.map(({ observations }) => observations.length)).toEqual([250, 250, 100]);
  expect(received.map(({ options }) => options)).toEqual(Array(3).fill({ epoch: 1, isForced: true }));
  const orders = received.flatMap(({ observations }) => observations.map(({ order }) => order));
  expect(orders).toEqual(Array.from({ length: 600 }, (_, index) => COUNTER_SPAN + index));
});

test('splits between addresses, whose outputs may supersede each other, and within one only if it has too many', async () => {
  const { reporter, received } = open();
  const many = ['aa', 'bb', 'cc', 'dd', 'ee'].flatMap((watchKey, index) =>
    findings([240, 20, 20, 700, 5][index] ?? 0).map((each) => ({ ...each, output: { ...each.output, watchKey } })),
  );
  await reporter.ready();
  await reporter.report(emptyMemory(), many);
  const batches = received.map(({ observations }) => {
    return [observations.length, [...new Set(observations.map(({ watchKey }) => watchKey))].join()];
  });
  expect(batches).toEqual([
    [240, 'aa'],
    [40, 'bb,cc'],
    [250, 'dd'],
    [250, 'dd'],
    [205, 'dd,ee'],
  ]);
});

test('stops at the first rejected batch, and records none as reported', async () => {
  const { reporter, received, failWith } = open();
  const memory = emptyMemory();
  await reporter.ready();
  failWith(new RetryableError('BUS_PUBLISH_FAILED', 'away'));
  await expect(reporter.report(memory, findings(600))).rejects.toMatchObject({ code: 'BUS_PUBLISH_FAILED' });
  expect(received).toHaveLength(1);
  expect(memory.reported.size).toBe(0);
});

test.each([
  ['BUS_PUBLISH_FAILED', 1],
  ['WATCHER_FENCED', 2],
])('after %s the next report has epoch %i', async (code, epoch) => {
  const { reporter, received, failWith } = open();
  await reporter.ready();
  failWith(new RetryableError(code, 'refused'));
  await expect(reporter.report(emptyMemory(), findings(1))).rejects.toMatchObject({ code });
  failWith(null);
  await reporter.ready();
  await reporter.report(emptyMemory(), findings(1));
  expect(received.at(-1)?.options).toEqual({ epoch, isForced: false });
});

test('a report rejected as that of a replaced watcher, within its lease, ends the lease', async () => {
  const { reporter } = open();
  const epochs: number[] = [];
  const report = (failure: Error | null) =>
    reporter.underEpoch(async (epoch) => {
      epochs.push(epoch);
      if (failure !== null) throw failure;
    });
  await reporter.ready();
  await report(null);
  await expect(report(new RetryableError('BUS_PUBLISH_FAILED', 'away'))).rejects.toThrow('away');
  await reporter.ready();
  await expect(report(new RetryableError('WATCHER_FENCED', 'replaced'))).rejects.toThrow('replaced');
  await expect(report(null)).rejects.toThrow('before it was ready');
  await reporter.ready();
  await report(null);
  expect(epochs).toEqual([1, 1, 1, 2]);
});

test('of many unsettled outputs it writes only those that came, changed or were settled', async () => {
  const { reporter, store } = open();
  const memory = emptyMemory();
  const [first, ...others] = findings(500);
  if (first === undefined) throw new Error('no findings');
  const written: number[] = [];
  const { saveUnsettled } = store;
  store.saveUnsettled = async (outputs, reorged) => {
    written.push(outputs.length);
    await saveUnsettled(outputs, reorged);
  };
  const progress = {
    forkHeight: 0,
    blocks: [],
    cursor: { height: 0, blockHash: '00' },
    tipHeight: 0,
    syncedUntil: null,
  };
  await reporter.ready();
  await reporter.report(memory, others);
  await reporter.saveProgress(memory, progress);
  await reporter.report(memory, [first]);
  memory.unsettled.set('7:0', { output: { ...first.output, outputId: '7:0', leftBaseUnits: 0n }, wasReorged: true });
  memory.unsettled.delete('8:0');
  await reporter.saveProgress(memory, progress);
  await reporter.saveProgress(memory, progress);
  expect(written).toEqual([499, 1]);
  expect(store.saves.map(({ unsettled }) => [unsettled?.saved.length, unsettled?.settledIds])).toEqual([
    [0, []],
    [1, ['8:0']],
  ]);
  expect(store.unsettled()).toHaveLength(499);
  expect(await store.loadUnsettled()).toContainEqual({ ...first.output, outputId: '7:0', leftBaseUnits: 0n });
});

// Helpers

function open() {
  const received: { observations: readonly Observation[]; options: ReportOptions }[] = [];
  let failure: Error | null = null;
  const store = createMemoryStore();
  const reporter = createReporter('litecoin-regtest', store, async (observations, options) => {
    received.push({ observations, options });
    if (failure !== null) throw failure;
  });
  return {
    reporter,
    store,
    received,
    failWith: (error: Error | null) => {
      failure = error;
    },
  };
}

function findings(count: number): Finding[] {
  return Array.from({ length: count }, (_, index) => ({
    output: {
      outputId: `${index}:0`,
      txid: String(index),
      watchKey: '0014aa',
      asset: 'LTC',
      amountBaseUnits: 1n,
      firstSeenAt: 1,
      spends: [],
    },
    status: { kind: 'mempool' },
  }));
}

function emptyMemory(): WatcherMemory {
  return {
    chain: createChainMemory([]),
    unsettled: new Map(),
    savedUnsettled: new Map(),
    reported: new Map(),
    goneReasons: new Map(),
    conflictedTxids: new Set(),
    savedHeight: -1,
    rereportAbove: -1,
  };
}

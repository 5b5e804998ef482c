import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createWatchLoop, type WatcherStatus } from '../../src/chains/index.ts';
import { createLiveness, createMetrics, type Metrics } from '../../src/monitoring/index.ts';
import { createLocalBus } from '../../src/platform/bus/index.ts';
import { createEngine, createKindRegistry, createRelay, type Engine } from '../../src/platform/engine/index.ts';
import { RetryableError, TerminalError } from '../../src/platform/errors.ts';
import { createTestClock } from '../support/clock.ts';
import { createPostgresDatabase, describePostgres, type TestDatabase } from '../support/database/test-database.ts';
import { deferred } from '../support/deferred.ts';
import { parseScrape, type Scrape } from '../support/outside/scrape.ts';
import { POLLING } from '../support/polling.ts';
import { newActorId } from '../support/service/engine.ts';
import { createLedgerKind, createLedgerTable, POISON } from '../support/service/engine-charts.ts';
import { silentLog } from '../support/silent-log.ts';

const QUIET = { debug() {}, info() {}, warn() {}, error() {} };

describePostgres('the engine', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createPostgresDatabase();
    await createLedgerTable(database);
  });
  afterAll(() => database?.drop());

  function openEngine(metrics: Metrics): Engine {
    const kinds = createKindRegistry([createLedgerKind()]);
    const observer = metrics.observers.engine;
    return createEngine({ db: database.db, kinds, clock: createTestClock(), log: silentLog, observer });
  }

  test('reports the outcome of every command, including those split off from their batch', async () => {
    const metrics = createMetrics();
    const engine = openEngine(metrics);
    const ids = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const actorId = newActorId();
        await engine.start({ kind: 'ledger', actorId, startKey: null, input: {} });
        return actorId;
      }),
    );
    const [bad = ''] = ids;
    const book = (actorId: string, eventId: string, amount: number) =>
      engine.deliver({ actorId, eventId, event: { type: 'book', amount } });
    await Promise.all([...ids.map((id) => book(id, 'good', 1)), book(bad, 'bad', POISON.forProjection)]);
    await book(bad, 'good', 1);
    await book('nobody', 'good', 1);
    const seen = await textOf(metrics);
    const commands = (command: string, outcome: string) =>
      seen.sum('quittance_engine_commands_total', { command, outcome });
    expect(commands('start', 'started')).toBe(4);
    expect(commands('event', 'applied')).toBe(4);
    expect(commands('event', 'failed')).toBe(1);
    expect(commands('event', 'duplicate')).toBe(1);
    expect(commands('event', 'unknown_actor')).toBe(1);
    expect(commands('event', 'put_off')).toBe(0);
    const steps = (outcome: string) => seen.sum('quittance_engine_steps_total', { kind: 'ledger', outcome });
    expect([steps('started'), steps('applied'), steps('failed'), steps('ignored')]).toEqual([4, 4, 1, null]);
    expect(seen.sum('quittance_engine_batch_repetitions_total', { reason: 'halved' })).toBeGreaterThan(0);
    expect(seen.sum('quittance_engine_batch_commands_sum')).toBe(11);
  });

  test('continues when an observer throws', async () => {
    const metrics = createMetrics();
    vi.spyOn(metrics.observers.engine, 'batchEnded').mockImplementation(() => {
      throw new Error('no ears');
    });
    const engine = openEngine(metrics);
    const actorId = newActorId();
    const start = { kind: 'ledger', actorId, startKey: null, input: {} };
    expect(await engine.start(start)).toMatchObject({ outcome: 'started' });
    expect(await engine.start(start)).toMatchObject({ outcome: 'exists' });
  });

  test('reports the duration of its batch and the queue behind it', async () => {
    const isInside = deferred();
    const mayGo = deferred();
    const slow = {
      ...createLedgerKind(),
      async prepare<T>(_trx: unknown, drafts: readonly T[]) {
        isInside.resolve();
        await mayGo.promise;
        return drafts;
      },
    };
    const kinds = createKindRegistry([slow]);
    const engine = createEngine({ db: database.db, kinds, clock: createTestClock(), log: silentLog });
    expect(engine.load()).toEqual({ waiting: 0, batchForMs: null });
    const start = () => engine.start({ kind: 'ledger', actorId: newActorId(), startKey: null, input: {} });
    const first = start();
    await isInside.promise;
    const others = [start(), start()];
    await vi.waitFor(() => expect(engine.load()).toEqual({ waiting: 2, batchForMs: expect.any(Number) }), POLLING);
    mayGo.resolve();
    await Promise.all([first, ...others]);
    await engine.drain();
    expect(engine.load()).toEqual({ waiting: 0, batchForMs: null });
  });

  test('counts a message that the bus rejects permanently as rejected', async () => {
    const metrics = createMetrics();
    const bus = {
      publish: async ({ id }: { id: string }) => {
        if (id === 'rejected') throw new TerminalError('NO', 'never');
        if (id === 'later') throw new RetryableError('LATER', 'not now');
      },
      subscribe: async () => Promise.reject(new Error('no subscription is allowed')),
      isHealthy: async () => true,
      waiting: async () => new Map(),
      close: async () => {},
    };
    const relay = createRelay({ db: database.db, bus, log: silentLog, observer: metrics.observers.relay });
    relay.publish(['fine', 'rejected', 'later'].map((id) => ({ id, queue: 'letters', partition: 0, data: {} })));
    await relay.stop();
    const seen = await textOf(metrics);
    const published = (outcome: string) =>
      seen.sum('quittance_outbox_publish_duration_seconds_count', { queue: 'letters', outcome });
    expect(['published', 'rejected', 'unreachable'].map(published)).toEqual([1, 1, 1]);
  });
});

describe('the bus', () => {
  test('reports the outcomes of handlers and the dead letters', async () => {
    const metrics = createMetrics();
    const observer = metrics.observers.bus;
    const bus = createLocalBus({ deadLetter: async () => {}, log: QUIET, failureDelaysMs: [0], observer });
    await bus.subscribe({ queue: 'work', maxInFlightPerPartition: 8 }, async ({ id, attempt }) => {
      if (id === 'never') throw new TerminalError('NO', 'never');
      if (id === 'later' && attempt === 1) throw new RetryableError('LATER', 'not now', { retryAfterMs: 1 });
      if (id === 'broken') throw new Error('a bug');
    });
    const publish = (id: string) => bus.publish({ queue: 'work', partition: 0, id, data: {} });
    await Promise.all(['fine', 'never', 'later', 'broken'].map(publish));
    await bus.close();
    const seen = await textOf(metrics);
    const handled = (outcome: string) =>
      seen.sum('quittance_bus_handling_duration_seconds_count', { queue: 'work', outcome });
    expect({
      handled: handled('handled'),
      retry: handled('retry'),
      rejected: handled('rejected'),
      failed: handled('failed'),
    }).toEqual({ handled: 2, retry: 1, rejected: 1, failed: 8 });
    expect(seen.sum('quittance_bus_dead_letters_total', { queue: 'work' })).toBe(2);
  });
});

describe('a watcher', () => {
  test('reports every poll, and the blocks it advanced', async () => {
    const metrics = createMetrics();
    const status: WatcherStatus = {
      network: 'somewhere',
      cursorHeight: 100,
      tipHeight: 200,
      syncedUntil: null,
      lastError: null,
      warnings: [],
    };
    let height: number = 100;
    let polls = 0;
    const watcher = {
      network: 'somewhere',
      async step() {
        polls += 1;
        if (polls === 2) throw new Error('the node is away');
        // The third poll follows a reorganisation back, which is no progress.
        height += polls === 3 ? -2 : 5;
      },
      verify: async () => {},
      rescan: async () => ({ blocks: 0, outputs: 0 }),
      search: async () => ({ height: null, outputs: 0 }),
      status: () => ({ ...status, cursorHeight: height }),
    };
    const observer = metrics.observers.watch;
    const loop = createWatchLoop({ watcher, log: QUIET, pollMs: 1, maxBackoffMs: 1, observer });
    loop.start();
    await vi.waitFor(() => expect(polls).toBeGreaterThanOrEqual(4), POLLING);
    await loop.stop();
    const seen = await textOf(metrics);
    const counted = (outcome: string) => seen.sum('quittance_chain_poll_duration_seconds_count', { outcome });
    expect([counted('failed'), counted('succeeded')]).toEqual([1, polls - 1]);
    expect(seen.sum('quittance_chain_blocks_scanned_total', { network: 'somewhere' })).toBe((polls - 2) * 5);
  });
});

describe('liveness', () => {
  test.each([
    ['nothing runs', null, true],
    ['a batch runs', 20_000, true],
    ['a batch has lasted for longer than any work', 301_000, false],
  ])('when %s', (_, batchForMs, isLive) => {
    expect(createLiveness({ load: () => ({ batchForMs }) }).read()).toMatchObject({ isLive });
  });
});

// Helpers

async function textOf(metrics: Metrics): Promise<Scrape> {
  return parseScrape((await metrics.text()).body);
}

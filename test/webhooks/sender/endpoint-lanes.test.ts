import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createEndpointLanes, type LaneJob, type LaneResult } from '../../../src/webhooks/sender/endpoint-lanes.ts';
import { POLLING } from '../../support/polling.ts';

const MANY = 10_000;

/** Lanes whose jobs run until the test ends them, by key. */
function start({
  maxRunning = 4,
  minRunning = null as number | null,
  maxRunningOverall = MANY,
  maxWaiting = MANY,
  maxExtraPerEndpoint = 0,
  maxExtra = 0,
} = {}) {
  const started: string[] = [];
  const running = new Map<string, (result: LaneResult) => void>();
  const away: { readonly key: string; readonly delayMs: number }[] = [];
  const lanes = createEndpointLanes<LaneJob>({
    minRunning: minRunning ?? maxRunning,
    maxRunning,
    maxRunningOverall,
    maxWaiting,
    maxExtraPerEndpoint,
    maxExtra,
    run: ({ key }) => {
      started.push(key);
      return new Promise((resolve) => running.set(key, resolve));
    },
    onBackgroundFailure: (error) => {
      throw error;
    },
    now: Date.now,
    defer: async ({ key }, delayMs) => {
      away.push({ key, delayMs });
    },
  });
  const held = new Set<string>();
  /** Holds the message of the job until `admit` resolves. */
  const admit = (endpointId: string, key: string, { isUrgent = false, isTimeCritical = false } = {}) => {
    held.add(key);
    void lanes.admit({ endpointId, key, isUrgent, isTimeCritical }).then(() => held.delete(key));
  };
  const end = (key: string, result: LaneResult = 'succeeded') => {
    running.get(key)?.(result);
    running.delete(key);
  };
  const runningOf = (name: string) => [...running.keys()].filter((key) => key.startsWith(name)).length;
  return { lanes, started, away, admit, end, held, runningOf };
}

describe('endpoint lanes', () => {
  test('ten thousand jobs for one endpoint leave another its slots and its share of the waiting jobs', () => {
    const { lanes, started, away, admit } = start();
    for (let count = 0; count < MANY + 100; count += 1) admit('dead', `dead:${count}`);
    expect(started).toHaveLength(4);
    expect(lanes.waiting).toBe(MANY);
    for (let count = 0; count < 10; count += 1) admit('fine', `fine:${count}`);
    // Four run at once and six wait, displacing jobs of the endpoint with the most.
    expect(started.slice(4)).toEqual(['fine:0', 'fine:1', 'fine:2', 'fine:3']);
    expect(lanes.waiting).toBe(MANY);
    for (let count = 4; count < 10; count += 1) expect(lanes.has(`fine:${count}`)).toBe(true);
    // No job is lost: each displaced one gets a delay after which it comes back.
    expect(away).toHaveLength(MANY + 100 - 4 - MANY + 6);
    expect(away.every(({ key }) => key.startsWith('dead:') && !lanes.has(key))).toBe(true);
  });

  test('a time-critical job runs immediately while there are extra slots, and uses none of the others', () => {
    const { lanes, started, admit, end } = start({ maxRunning: 2, maxExtraPerEndpoint: 2, maxExtra: 3 });
    for (const key of ['a1', 'a2', 'a3']) admit('a', key);
    expect(started).toEqual(['a1', 'a2']);
    for (const key of ['a4', 'a5', 'a6']) admit('a', key, { isTimeCritical: true });
    expect(started).toEqual(['a1', 'a2', 'a4', 'a5']);
    for (const key of ['b1', 'b2', 'b3', 'b4']) admit('b', key, { isTimeCritical: true });
    // The third and last extra slot overall.
    expect(started.slice(4)).toEqual(['b1', 'b2', 'b3']);
    expect(lanes.waiting).toBe(3);
    end('a4');
    expect(lanes.waiting).toBe(3);
  });

  test('deferred jobs come back spread over ten minutes, and never all at once', async () => {
    const { started, away, admit, end } = start({ maxRunning: 4, maxWaiting: 1 });
    for (let count = 0; count < 5_000; count += 1) admit('one', `${count}`);
    const delays = away.map(({ delayMs }) => delayMs);
    expect(delays).toHaveLength(4_995);
    expect(delays.every((delay) => delay >= 1_000 && delay <= 600_000)).toBe(true);
    const spread = delays.filter((delay) => delay > 1_000 && delay < 600_000);
    expect(spread.length).toBeGreaterThan(1_000);
    // The real clock advances during the loop, but by less than the pace.
    expect(new Set(spread.map((delay) => Math.round(delay / 100))).size).toBeGreaterThan(1_000);
    end(started[0] ?? '');
    await vi.waitFor(() => expect(started).toHaveLength(5), POLLING);
  });

  test('waiting attempts of an endpoint run in arrival order, requested ones first', async () => {
    const { started, admit, end } = start({ maxRunning: 1 });
    for (const key of ['a', 'b', 'c']) admit('one', key);
    admit('one', 'asked', { isUrgent: true });
    admit('one', 'asked too', { isUrgent: true });
    for (let count = 1; count < 5; count += 1) {
      end(started.at(-1) ?? '');
      await vi.waitFor(() => expect(started).toHaveLength(count + 1), POLLING);
    }
    expect(started).toEqual(['a', 'asked', 'asked too', 'b', 'c']);
  });

  test('an evicted job can come again, a requested one stays, and other endpoints keep theirs', async () => {
    const { lanes, started, admit, end } = start({ maxRunning: 1 });
    for (const key of ['a', 'b', 'c']) admit('one', key);
    admit('one', 'asked', { isUrgent: true });
    admit('other', 'x');
    admit('other', 'y');
    expect(lanes.evict('one').map(({ key }) => key)).toEqual(['b', 'c']);
    expect(['a', 'b', 'c', 'asked', 'x', 'y'].filter(lanes.has)).toEqual(['a', 'asked', 'x', 'y']);
    expect(lanes.waiting).toBe(2);
    admit('one', 'b');
    end('a');
    await vi.waitFor(() => expect(started).toContain('asked'), POLLING);
    end('asked');
    await vi.waitFor(() => expect(started).toContain('b'), POLLING);
  });

  test('all waiting jobs can be taken out, requested ones too', () => {
    const { lanes, admit } = start({ maxRunning: 1 });
    for (const key of ['a', 'b']) admit('one', key);
    for (const key of ['x', 'y']) admit('other', key);
    admit('one', 'asked', { isUrgent: true });
    expect(
      lanes
        .evictAll()
        .map(({ key }) => key)
        .sort(),
    ).toEqual(['asked', 'b', 'y']);
    expect(lanes.waiting).toBe(0);
    expect(['a', 'b', 'x', 'y', 'asked'].filter(lanes.has)).toEqual(['a', 'x']);
  });

  describe('follow the response time of an endpoint:', () => {
    beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
    afterEach(() => void vi.useRealTimers());

    /** All running jobs end, each after `ms`, until `count` others have started. */
    async function endAll({ started, end }: ReturnType<typeof start>, ms: number, count: number) {
      const until = started.length + count;
      while (started.length < until) {
        vi.advanceTimersByTime(ms);
        for (const key of started.slice()) end(key);
        await new Promise((resolve) => setImmediate(resolve));
      }
    }

    test('four slots at first, more when it is fast, two when it is slow', async () => {
      const harness = start({ minRunning: 2, maxRunning: 64 });
      for (let count = 0; count < MANY; count += 1) harness.admit('one', `one:${count}`);
      expect(harness.runningOf('one')).toBe(4);
      await endAll(harness, 20, 1_000);
      expect(harness.runningOf('one')).toBe(64);
      await endAll(harness, 10_000, 200);
      expect(harness.runningOf('one')).toBe(2);
      await endAll(harness, 290, 500);
      expect(harness.runningOf('one')).toBe(20);
    });

    test('a failure adds no slots, however fast it is, and an untried job does not count', async () => {
      const harness = start({ minRunning: 2, maxRunning: 64 });
      for (let count = 0; count < 1_000; count += 1) harness.admit('one', `one:${count}`);
      for (const result of ['failed', 'none'] as const) {
        for (let round = 0; round < 50; round += 1) {
          vi.advanceTimersByTime(1);
          for (const key of harness.started.slice()) harness.end(key, result);
          await new Promise((resolve) => setImmediate(resolve));
        }
        expect(harness.runningOf('one')).toBe(4);
      }
    });

    test('one that stops responding holds few messages of the bus', async () => {
      const harness = start({ minRunning: 2, maxRunning: 64 });
      for (let count = 0; count < 1_000; count += 1) harness.admit('one', `one:${count}`);
      await endAll(harness, 20, 900);
      expect([harness.runningOf('one'), harness.held.size]).toEqual([64, 0]);
      const other = start({ minRunning: 2, maxRunning: 64 });
      for (const key of ['a', 'b', 'c', 'd', 'e']) other.admit('one', key);
      await new Promise((resolve) => setImmediate(resolve));
      expect([other.runningOf(''), [...other.held]]).toEqual([4, ['a', 'b']]);
    });

    test('jobs waiting for a full sender start when any slot is free', async () => {
      const harness = start({ minRunning: 1, maxRunning: 4, maxRunningOverall: 4 });
      for (const key of ['a1', 'a2', 'a3', 'a4']) harness.admit('a', key);
      for (const key of ['b1', 'b2']) harness.admit('b', key);
      expect(harness.started).toEqual(['a1', 'a2', 'a3', 'a4', 'b1']);
      harness.end('a1');
      harness.end('a2');
      await vi.waitFor(() => expect(harness.started).toContain('b2'));
    });

    test('under full load each endpoint gets its minimum, and none gets less', async () => {
      const harness = start({ minRunning: 2, maxRunning: 64, maxRunningOverall: 8 });
      for (let count = 0; count < 1_000; count += 1) harness.admit('fast', `fast:${count}`);
      await endAll(harness, 20, 500);
      expect(harness.runningOf('fast')).toBe(8);
      for (let count = 0; count < 10; count += 1) harness.admit('new', `new:${count}`);
      expect(harness.runningOf('new')).toBe(2);
    });
  });

  test('a key that runs or waits is not accepted twice', () => {
    const { lanes, started, admit } = start({ maxRunning: 1 });
    for (const key of ['a', 'a', 'b', 'b']) admit('one', key);
    expect(started).toEqual(['a']);
    expect(lanes.waiting).toBe(1);
  });

  test('a lane exists only while it contains something, and closing drops what waits', async () => {
    const { lanes, started, admit, end } = start({ maxRunning: 1 });
    admit('one', 'a');
    admit('one', 'b');
    const closed = lanes.close();
    expect(lanes.waiting).toBe(0);
    end('a');
    await closed;
    expect(started).toEqual(['a']);
  });
});

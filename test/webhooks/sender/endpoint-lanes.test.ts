import { describe, expect, test, vi } from 'vitest';
import { createEndpointLanes, type LaneJob } from '../../../src/webhooks/sender/endpoint-lanes.ts';
import { PATIENCE } from '../../support/engine.ts';

const MANY = 10_000;

/** Lanes whose jobs run until they are let go, by key. */
function start({ maxRunning = 4, maxParked = MANY } = {}) {
  const started: string[] = [];
  const running = new Map<string, () => void>();
  const lanes = createEndpointLanes<LaneJob>({
    maxRunning,
    maxParked,
    run: ({ key }) => {
      started.push(key);
      return new Promise((resolve) => running.set(key, resolve));
    },
    onParkedFailure: (error) => {
      throw error;
    },
  });
  const admit = (endpointId: string, key: string, isUrgent = false) => void lanes.admit({ endpointId, key, isUrgent });
  const end = (key: string) => running.get(key)?.();
  return { lanes, started, admit, end };
}

describe('the lanes of endpoints', () => {
  test('ten thousand waiting for one endpoint leave another its places and its part of the park', () => {
    const { lanes, started, admit } = start();
    for (let count = 0; count < MANY + 100; count += 1) admit('dead', `dead:${count}`);
    expect(started).toHaveLength(4);
    expect(lanes.parked).toBe(MANY);
    for (let count = 0; count < 10; count += 1) admit('fine', `fine:${count}`);
    // Four run at once and six are parked, at the expense of who has most.
    expect(started.slice(4)).toEqual(['fine:0', 'fine:1', 'fine:2', 'fine:3']);
    expect(lanes.parked).toBe(MANY);
    for (let count = 4; count < 10; count += 1) expect(lanes.has(`fine:${count}`)).toBe(true);
  });

  test('parked attempts of an endpoint go in the order they came, requested ones first', async () => {
    const { started, admit, end } = start({ maxRunning: 1 });
    for (const key of ['a', 'b', 'c']) admit('one', key);
    admit('one', 'asked', true);
    admit('one', 'asked too', true);
    for (let count = 1; count < 5; count += 1) {
      end(started.at(-1) ?? '');
      await vi.waitFor(() => expect(started).toHaveLength(count + 1), PATIENCE);
    }
    expect(started).toEqual(['a', 'asked', 'asked too', 'b', 'c']);
  });

  test('what is evicted can come again, what is requested stays, and other endpoints keep theirs', async () => {
    const { lanes, started, admit, end } = start({ maxRunning: 1 });
    for (const key of ['a', 'b', 'c']) admit('one', key);
    admit('one', 'asked', true);
    admit('other', 'x');
    admit('other', 'y');
    expect(lanes.evict('one').map(({ key }) => key)).toEqual(['b', 'c']);
    expect(['a', 'b', 'c', 'asked', 'x', 'y'].filter(lanes.has)).toEqual(['a', 'asked', 'x', 'y']);
    expect(lanes.parked).toBe(2);
    admit('one', 'b');
    end('a');
    await vi.waitFor(() => expect(started).toContain('asked'), PATIENCE);
    end('asked');
    await vi.waitFor(() => expect(started).toContain('b'), PATIENCE);
  });

  test('a key that runs or is parked is not taken twice', () => {
    const { lanes, started, admit } = start({ maxRunning: 1 });
    for (const key of ['a', 'a', 'b', 'b']) admit('one', key);
    expect(started).toEqual(['a']);
    expect(lanes.parked).toBe(1);
  });

  test('a lane exists only while it has something, and closing forgets what is parked', async () => {
    const { lanes, started, admit, end } = start({ maxRunning: 1 });
    admit('one', 'a');
    admit('one', 'b');
    const closed = lanes.close();
    expect(lanes.parked).toBe(0);
    end('a');
    await closed;
    expect(started).toEqual(['a']);
  });
});

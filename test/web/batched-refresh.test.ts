import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createBatchedRefresh } from '../../src/web/api/batched-refresh.ts';

const EVERY_MS = 1_000;

describe('refreshes after changes', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('begin at once, and once for all changes within the interval', async () => {
    const refreshed: (readonly string[])[] = [];
    const gather = createBatchedRefresh(async (...paths) => void refreshed.push(paths), EVERY_MS);
    gather(['/a']);
    await vi.advanceTimersByTimeAsync(0);
    expect(refreshed).toEqual([['/a']]);
    gather(['/a']);
    gather(['/b', '/a']);
    await vi.advanceTimersByTimeAsync(EVERY_MS - 1);
    expect(refreshed).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(refreshed).toEqual([['/a'], ['/a', '/b']]);
    await vi.advanceTimersByTimeAsync(10 * EVERY_MS);
    gather([]);
    await vi.advanceTimersByTimeAsync(EVERY_MS);
    expect(refreshed).toHaveLength(2);
  });

  test('never overlap, so that slow answers are shown, and do not wait for one that never comes', async () => {
    const responses: (() => void)[] = [];
    const gather = createBatchedRefresh(() => new Promise((resolve) => responses.push(resolve)), EVERY_MS);
    gather(['/slow']);
    await vi.advanceTimersByTimeAsync(0);
    gather(['/slow']);
    await vi.advanceTimersByTimeAsync(5 * EVERY_MS);
    expect(responses).toHaveLength(1);
    responses[0]?.();
    await vi.advanceTimersByTimeAsync(EVERY_MS);
    expect(responses).toHaveLength(2);
    gather(['/slow']);
    await vi.advanceTimersByTimeAsync(60 * EVERY_MS);
    expect(responses).toHaveLength(3);
  });
});

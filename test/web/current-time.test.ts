import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { currentTime, watchTime } from '../../src/web/ui/values/current-time.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('the current time is not that of the last tick when nothing has watched it since', () => {
  const end = watchTime(() => undefined);
  end();
  vi.setSystemTime(Date.now() + 49_000);
  expect(currentTime()).toBe(Date.now());
  vi.setSystemTime(Date.now() - 3_600_000);
  expect(currentTime()).toBe(Date.now());
});

test('the current time changes only with a tick, so that one render sees one time', () => {
  const begun = currentTime();
  const watcher = vi.fn();
  const end = watchTime(watcher);
  vi.setSystemTime(begun + 49_000);
  expect(currentTime()).toBe(begun);
  expect(watcher).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1_000);
  expect(watcher).toHaveBeenCalledOnce();
  expect(currentTime()).toBe(Date.now());
  end();
  const last = currentTime();
  vi.setSystemTime(last + 999);
  expect(currentTime()).toBe(last);
});

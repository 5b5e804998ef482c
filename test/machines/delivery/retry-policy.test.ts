import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  DAY_MS,
  HOUR_MS,
  MAX_ATTEMPTS,
  MINUTE_MS,
  RETRY_DELAYS_MS,
  retryDelayMs,
  SECOND_MS,
} from '../../../machines/index.ts';
import { assertProperty } from '../../support/run/fast-check.ts';
import { CREATED_AT, failed, startDelivery } from './delivery-run.ts';

describe('the retry schedule', () => {
  it('rule 54: is 10 s, 1 m, 5 m, 30 m, 1 h, 2 h, 4 h, 8 h, 8 h', () => {
    const minutes = [1, 5, 30, 60, 120, 240, 480, 480].map((delay) => delay * MINUTE_MS);
    expect(RETRY_DELAYS_MS).toEqual([10 * SECOND_MS, ...minutes]);
  });

  it('makes ten attempts, the last about 23 h 36 m after the first', () => {
    const run = startDelivery();
    let now = CREATED_AT;
    while (!run.isOver()) {
      run.send(failed(run.context().attempt, now));
      if (run.isOver()) break;
      now = run.dueAt();
      run.send({ type: 'timer.retry_due', at: now, dueAt: now });
    }
    expect(run.leaf()).toBe('failed');
    expect(run.sent).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(run.sent.length).toBe(MAX_ATTEMPTS);
    // The delays add up to 23 h 36 min 10 s.
    expect(now - CREATED_AT).toBe(23 * HOUR_MS + 36 * MINUTE_MS + 10 * SECOND_MS);
  });

  it('varies each delay by at most a tenth in either direction, for any random number', () => {
    const made = fc.integer({ min: 1, max: RETRY_DELAYS_MS.length });
    assertProperty(
      fc.property(made, fc.double({ noNaN: true }), (attempts, jitter) => {
        const delay = RETRY_DELAYS_MS[attempts - 1] ?? Number.NaN;
        const varied = retryDelayMs(attempts, jitter) ?? Number.NaN;
        expect(varied).toBeGreaterThanOrEqual(delay * 0.9);
        expect(varied).toBeLessThanOrEqual(delay * 1.1);
        expect(Number.isSafeInteger(varied)).toBe(true);
      }),
    );
  });

  it('follows Retry-After, up to twice the delay', () => {
    const wishes = [null, 0, 9_999, 10_000.5, 17_000, 20_000, 3_600_000, Number.MAX_VALUE, -5];
    const delays = [10_000, 10_000, 10_000, 10_001, 17_000, 20_000, 20_000, 20_000, 10_000];
    expect(wishes.map((wish) => retryDelayMs(1, 0, wish))).toEqual(delays);
  });

  it('ends after a day, however long the delays turn out', () => {
    const run = startDelivery();
    let now = CREATED_AT;
    while (!run.isOver()) {
      run.send(failed(run.context().attempt, now, { jitter: 1, retryAfterMs: DAY_MS }));
      if (run.isOver()) break;
      now = run.dueAt();
      run.send({ type: 'timer.retry_due', at: now, dueAt: now });
    }
    expect(run.leaf()).toBe('failed');
    expect(now).toBe(CREATED_AT + DAY_MS);
    expect(run.sent.length).toBeLessThan(MAX_ATTEMPTS);
  });

  it('uses the whole of that range and is exact without jitter', () => {
    expect([-1, 0, 1].map((jitter) => retryDelayMs(1, jitter))).toEqual([9_000, 10_000, 11_000]);
    expect([-1, 0, 1].map((jitter) => retryDelayMs(9, jitter))).toEqual([25_920_000, 28_800_000, 31_680_000]);
  });

  it('has no delay before the first attempt and none after the last', () => {
    expect(retryDelayMs(0, 0)).toBeNull();
    expect(retryDelayMs(MAX_ATTEMPTS, 0)).toBeNull();
  });
});

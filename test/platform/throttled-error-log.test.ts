import { expect, it } from 'vitest';
import { RetryableError } from '../../src/platform/errors.ts';
import { createLogger } from '../../src/platform/log.ts';
import { createThrottledErrorLog, QUIET_MS } from '../../src/platform/throttled-error-log.ts';

function harness() {
  const lines: { msg: string; code: string; suppressed: number }[] = [];
  const log = createLogger({ level: 'warn', destination: { write: (line) => void lines.push(JSON.parse(line)) } });
  let now = 1_000;
  const notice = createThrottledErrorLog({ log, clock: { now: () => now } });
  const fail = (code: string) => notice.watch(() => Promise.reject(new RetryableError(code, 'away'))).catch(() => {});
  const pass = (ms: number) => {
    now += ms;
  };
  return { lines, notice, fail, pass };
}

it('an outage is logged immediately and then only counted', async () => {
  const { lines, fail, pass } = harness();
  for (let count = 0; count < 1_000; count += 1) await fail('DATABASE_UNAVAILABLE');
  expect(lines).toMatchObject([{ code: 'DATABASE_UNAVAILABLE', suppressed: 0 }]);
  pass(QUIET_MS);
  await fail('DATABASE_UNAVAILABLE');
  expect(lines).toMatchObject([{ suppressed: 0 }, { suppressed: 999 }]);
});

it('a different cause is logged immediately', async () => {
  const { lines, fail } = harness();
  await fail('DATABASE_UNAVAILABLE');
  await fail('RATE_FETCH_FAILED');
  expect(lines.map((line) => line.code)).toEqual(['DATABASE_UNAVAILABLE', 'RATE_FETCH_FAILED']);
});

it('results and all errors are passed on, and errors that are not outages are not logged', async () => {
  const { lines, notice } = harness();
  expect(await notice.watch(async () => 7)).toBe(7);
  const bug = new Error('a bug');
  await expect(notice.watch(() => Promise.reject(bug))).rejects.toBe(bug);
  await expect(notice.watch(() => Promise.reject(new RetryableError('X', 'away')))).rejects.toThrow('away');
  expect(lines).toHaveLength(1);
});

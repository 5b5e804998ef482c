import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { beginStopping, GIVE_UP_AT_MS, type StopPart } from '../../src/service/stopping.ts';
import { silentLog } from '../support/silent-log.ts';

const PARTS = Object.keys(GIVE_UP_AT_MS) as StopPart[];

interface Line {
  readonly level: 'warn' | 'error';
  readonly fields: object;
}

let lines: Line[] = [];
const log = {
  ...silentLog,
  warn: (fields: object) => void lines.push({ level: 'warn', fields }),
  error: (fields: object) => void lines.push({ level: 'error', fields }),
};

beforeEach(() => {
  lines = [];
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => void vi.useRealTimers());

test('parts that hang are abandoned at their timeout, each with a warning, and the next ones are stopped', async () => {
  const stopping = beginStopping({ log });
  const begun = performance.now();
  const ends: [StopPart, number][] = [];
  const stopped = (async () => {
    for (const part of PARTS) {
      await stopping.part(part, () => new Promise(() => {}));
      ends.push([part, performance.now() - begun]);
    }
  })();
  await vi.advanceTimersByTimeAsync(Math.max(...Object.values(GIVE_UP_AT_MS)));
  await stopped;
  expect(ends).toEqual(PARTS.map((part) => [part, GIVE_UP_AT_MS[part]]));
  expect(lines).toEqual(PARTS.map((part) => ({ level: 'warn', fields: { part } })));
});

test('parts that end or fail are not waited for any longer, and only failures are logged', async () => {
  const stopping = beginStopping({ log });
  const begun = performance.now();
  await stopping.part('workers', async () => {});
  await stopping.part('database', () => Promise.reject(new Error('the connection broke')));
  expect(performance.now()).toBe(begun);
  expect(lines).toEqual([{ level: 'error', fields: { part: 'database', reason: 'the connection broke' } }]);
  expect(vi.getTimerCount()).toBe(0);
});

import { describe, expect, test } from 'vitest';
import { createCachedReading, GIVE_UP_AFTER_MS } from '../../src/monitoring/cached-reading.ts';
import { createReadiness } from '../../src/monitoring/readiness.ts';
import { deferred } from '../support/deferred.ts';

const READY = { isReady: true };
const isNot = (reason: string) => ({ isReady: false, reason });

describe('readiness', () => {
  test('goes from starting over ready to draining, and never back', async () => {
    const readiness = createReadiness({ pingDatabase: async () => true });
    expect(await readiness.read()).toEqual(isNot('starting'));
    readiness.open();
    expect(await readiness.read()).toEqual(READY);
    readiness.drain();
    expect(await readiness.read()).toEqual(isNot('draining'));
    readiness.open();
    expect(await readiness.read()).toEqual(isNot('draining'));
  });

  test('of a process that was stopped during startup stays draining', async () => {
    const readiness = createReadiness({ pingDatabase: async () => true });
    readiness.drain();
    readiness.open();
    expect(await readiness.read()).toEqual(isNot('draining'));
  });

  test.each([
    ['answers no', async () => false],
    ['cannot be asked', async () => Promise.reject(new Error('gone'))],
    [
      'throws at once',
      () => {
        throw new Error('gone');
      },
    ],
  ])('needs a database; one that %s makes it unready', async (_, pingDatabase) => {
    const readiness = createReadiness({ pingDatabase });
    readiness.open();
    expect(await readiness.read()).toEqual(isNot('database'));
  });

  test('follows the database as it fails and recovers', async () => {
    let responses = true;
    const readiness = createReadiness({ pingDatabase: async () => responses, keepResponseMs: 0 });
    readiness.open();
    expect(await readiness.read()).toEqual(READY);
    responses = false;
    expect(await readiness.read()).toEqual(isNot('database'));
    responses = true;
    expect(await readiness.read()).toEqual(READY);
  });

  test('reports draining if that starts during the check', async () => {
    const { promise, resolve } = deferred<boolean>();
    const readiness = createReadiness({ pingDatabase: () => promise });
    readiness.open();
    const response = readiness.read();
    readiness.drain();
    resolve(true);
    expect(await response).toEqual(isNot('draining'));
  });
});

describe('a cached reading', () => {
  test('checks once for many callers, and again when the response is too old', async () => {
    let time = 0;
    let requested = 0;
    const ask = async () => ++requested;
    const reading = createCachedReading({ ask, keepMs: 1_000, timeoutMs: 60_000, now: () => time });
    expect(await Promise.all([reading.read(), reading.read(), reading.read()])).toEqual([1, 1, 1]);
    time = 999;
    expect(await reading.read()).toBe(1);
    time = 1_000;
    expect(await reading.read()).toBe(2);
  });

  test('is empty when there is no response in time, and the late response serves the next caller', async () => {
    const { promise, resolve } = deferred<string>();
    let requested = 0;
    const ask = () => {
      requested += 1;
      return promise;
    };
    const reading = createCachedReading({ ask, keepMs: 60_000, timeoutMs: 0 });
    expect([await reading.read(), await reading.read()]).toEqual([null, null]);
    expect(requested).toBe(1);
    resolve('late');
    await promise;
    await Promise.resolve();
    expect(await reading.read()).toBe('late');
    expect(requested).toBe(1);
  });

  test('abandons a check without a response, and does not let its response replace a newer one', async () => {
    let time = 0;
    const first = deferred<string>();
    const responses = [first.promise, Promise.resolve('second')];
    const ask = () => responses.shift() ?? Promise.reject(new Error('asked too often'));
    const reading = createCachedReading({ ask, keepMs: 60_000, timeoutMs: 0, now: () => time });
    expect(await reading.read()).toBeNull();
    time = GIVE_UP_AFTER_MS;
    await reading.read();
    await new Promise(setImmediate);
    expect(await reading.read()).toBe('second');
    first.resolve('first');
    await new Promise(setImmediate);
    expect(await reading.read()).toBe('second');
  });
});

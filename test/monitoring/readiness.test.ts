import { describe, expect, test } from 'vitest';
import { createCachedReading, GIVE_UP_AFTER_MS } from '../../src/monitoring/cached-reading.ts';
import { createReadiness } from '../../src/monitoring/readiness.ts';
import { deferred } from '../support/deferred.ts';

const READY = { isReady: true };
const isNot = (reason: string) => ({ isReady: false, reason });

describe('readiness', () => {
  test('goes from starting over ready to draining, and never back', async () => {
    const readiness = createReadiness({ askDatabase: async () => true });
    expect(await readiness.read()).toEqual(isNot('starting'));
    readiness.open();
    expect(await readiness.read()).toEqual(READY);
    readiness.drain();
    expect(await readiness.read()).toEqual(isNot('draining'));
    readiness.open();
    expect(await readiness.read()).toEqual(isNot('draining'));
  });

  test('of a process that was stopped during startup stays draining', async () => {
    const readiness = createReadiness({ askDatabase: async () => true });
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
  ])('needs a database; one that %s makes it unready', async (_, askDatabase) => {
    const readiness = createReadiness({ askDatabase });
    readiness.open();
    expect(await readiness.read()).toEqual(isNot('database'));
  });

  test('follows the database as it fails and recovers', async () => {
    let answers = true;
    const readiness = createReadiness({ askDatabase: async () => answers, keepAnswerMs: 0 });
    readiness.open();
    expect(await readiness.read()).toEqual(READY);
    answers = false;
    expect(await readiness.read()).toEqual(isNot('database'));
    answers = true;
    expect(await readiness.read()).toEqual(READY);
  });

  test('reports draining if that starts during the check', async () => {
    const { promise, resolve } = deferred<boolean>();
    const readiness = createReadiness({ askDatabase: () => promise });
    readiness.open();
    const answer = readiness.read();
    readiness.drain();
    resolve(true);
    expect(await answer).toEqual(isNot('draining'));
  });
});

describe('a cached reading', () => {
  test('checks once for many callers, and again when the answer is too old', async () => {
    let time = 0;
    let asked = 0;
    const ask = async () => ++asked;
    const reading = createCachedReading({ ask, keepMs: 1_000, timeoutMs: 60_000, now: () => time });
    expect(await Promise.all([reading.read(), reading.read(), reading.read()])).toEqual([1, 1, 1]);
    time = 999;
    expect(await reading.read()).toBe(1);
    time = 1_000;
    expect(await reading.read()).toBe(2);
  });

  test('is empty when there is no answer in time, and the late answer serves the next caller', async () => {
    const { promise, resolve } = deferred<string>();
    let asked = 0;
    const ask = () => {
      asked += 1;
      return promise;
    };
    const reading = createCachedReading({ ask, keepMs: 60_000, timeoutMs: 0 });
    expect([await reading.read(), await reading.read()]).toEqual([null, null]);
    expect(asked).toBe(1);
    resolve('late');
    await promise;
    await Promise.resolve();
    expect(await reading.read()).toBe('late');
    expect(asked).toBe(1);
  });

  test('abandons a check without an answer, and does not let its answer replace a newer one', async () => {
    let time = 0;
    const first = deferred<string>();
    const answers = [first.promise, Promise.resolve('second')];
    const ask = () => answers.shift() ?? Promise.reject(new Error('asked too often'));
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

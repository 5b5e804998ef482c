import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../../machines/index.ts';
import {
  GIVE_UP_AFTER_MS,
  MIN_FAILED_ATTEMPTS,
  MIN_NOTICE_MS,
  WARN_AFTER_MS,
} from '../../../src/webhooks/health/decide.ts';
import { createTestClock } from '../../support/clock.ts';
import { createPostgresDatabase, describePostgres, type TestDatabase } from '../../support/database/test-database.ts';
import { assertAsyncProperty } from '../../support/run/fast-check.ts';
import { level } from '../../support/run/level.ts';
import { HealthModel } from './model.ts';
import { openShop, type Result } from './shop.ts';

type HealthEvent =
  | { readonly kind: 'attempts'; readonly results: readonly Result[] }
  | { readonly kind: 'time'; readonly byMs: number }
  | { readonly kind: 'check'; readonly workers: number }
  | { readonly kind: 'option'; readonly disablesItself: boolean }
  | { readonly kind: 'switch'; readonly enabled: boolean };

/** Attempts of which one in `oneIn` succeeds. */
const attempts = (oneIn: number) => {
  const result = fc.oneof(
    { weight: oneIn - 1, arbitrary: fc.constantFrom<Result>('failure', 'failure', 'failure', 'probe', 'not_sent') },
    { weight: 1, arbitrary: fc.constant<Result>('success') },
  );
  return fc.array(result, { minLength: 1, maxLength: 4 }).map((results) => ({ kind: 'attempts' as const, results }));
};
const time = (...leaps: number[]) => fc.constantFrom(...leaps).map((byMs) => ({ kind: 'time' as const, byMs }));
const check = fc.constantFrom(1, 1, 3).map((workers) => ({ kind: 'check' as const, workers }));
const option = fc.boolean().map((disablesItself) => ({ kind: 'option' as const, disablesItself }));
const change = fc.oneof(
  option,
  fc.boolean().map((enabled) => ({ kind: 'switch' as const, enabled })),
);

/** Any order of events, with a clock that jumps ahead and back. */
const anyEvent: fc.Arbitrary<HealthEvent> = fc.oneof(
  { weight: 4, arbitrary: attempts(6) },
  {
    weight: 3,
    arbitrary: time(MINUTE_MS, 20 * MINUTE_MS, HOUR_MS, 30 * HOUR_MS, 50 * HOUR_MS, -MINUTE_MS, -3 * HOUR_MS),
  },
  { weight: 4, arbitrary: check },
  { weight: 1, arbitrary: change },
);

const rarely = fc.oneof({ weight: 15, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: change });

/** Days of failures with several checks a day, so that disabling comes into reach. */
const daysOfFailures: fc.Arbitrary<HealthEvent[]> = fc
  .array(fc.tuple(time(HOUR_MS, 12 * HOUR_MS, 20 * HOUR_MS, 24 * HOUR_MS), attempts(80), check, rarely), {
    minLength: 10,
    maxLength: 14,
    size: 'max',
  })
  .map((days) => [
    { kind: 'option', disablesItself: true },
    ...days.flatMap((day) => day.filter((each) => each !== null)),
  ]);

const history = fc.oneof(fc.array(anyEvent, { minLength: 5, maxLength: 30, size: 'max' }), daysOfFailures);

describePostgres('notices about an endpoint', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createPostgresDatabase();
  });
  afterAll(() => database.drop());

  test('are correct, each sent once, for any events in any order', async () => {
    const property = fc.asyncProperty(history, async (events) => {
      const clock = createTestClock();
      const shop = await openShop(database, clock);
      const model = new HealthModel();
      const known = new Set<string>();
      for (const each of events) {
        switch (each.kind) {
          case 'attempts':
            // A disabled endpoint gets no requests.
            if (!model.enabled) break;
            await shop.attempt(each.results);
            for (const ended of each.results) model.attempt(ended, clock.now());
            break;
          case 'time':
            clock.advance(each.byMs);
            if (each.byMs < 0) model.hasClockGoneBack = true;
            break;
          case 'option':
            await shop.change({ disablesItself: each.disablesItself });
            model.disablesItself = each.disablesItself;
            break;
          case 'switch':
            await shop.change({ enabled: each.enabled });
            model.switch(each.enabled);
            break;
          case 'check': {
            await shop.check(each.workers);
            const news = (await shop.notices()).filter(({ id }) => !known.has(id));
            for (const { id } of news) known.add(id);
            // One check sends at most one notice per endpoint; several workers at most one each.
            expect(news.length).toBeLessThanOrEqual(each.workers);
            for (const { kind, since } of news.toSorted(
              (one, other) => ORDER.indexOf(one.kind) - ORDER.indexOf(other.kind),
            )) {
              model.sent(kind, since, clock.now());
            }
            model.nothingIsOwed(clock.now(), news.length);
            expect((await shop.endpoint()).enabled).toBe(model.enabled);
          }
        }
      }
      expect(await shop.mails()).toHaveLength(shop.users.length * known.size);
    });
    await assertAsyncProperty(property, { numRuns: level.runs(50) });
  }, 60_000);

  test('are as far apart as documented', () => {
    expect([WARN_AFTER_MS, GIVE_UP_AFTER_MS, MIN_NOTICE_MS, MIN_FAILED_ATTEMPTS]).toEqual([
      [HOUR_MS, 60 * HOUR_MS, 108 * HOUR_MS],
      120 * HOUR_MS,
      12 * HOUR_MS,
      4,
    ]);
  });
});

const ORDER = ['webhook_recovered', 'webhook_failing', 'webhook_disabled'];

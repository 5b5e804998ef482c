import fc from 'fast-check';
import { type Kysely, sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  ASSETS,
  CRYPTO_SYMBOLS,
  DAY_MS,
  FIAT_CURRENCIES,
  type Mode,
  TRANSACTION_STATUSES,
  type UnixMs,
} from '../../machines/index.ts';
import { getStats, type Stats, type StatsRange, type StatsTotals } from '../../src/payments/index.ts';
import { startsOfBuckets } from '../../src/payments/stats/buckets.ts';
import type { Database } from '../../src/platform/db/index.ts';
import { describeBothDatabases } from '../support/database/test-database.ts';
import { deleteTransactions, insertTransactionRows } from '../support/database/transaction-rows.ts';
import { assertAsyncProperty, assertProperty } from '../support/run/fast-check.ts';
import { level } from '../support/run/level.ts';

/** The fields of a transaction that statistics use. Money in cents. */
interface Sample {
  readonly createdAt: UnixMs;
  readonly status: (typeof TRANSACTION_STATUSES)[number];
  /** Late coins of an expired one, or missing ones of a pending one, wait for a decision. */
  readonly isUndecided: boolean;
  /** How a completed payment lost its coins; null when it did not. */
  readonly loss: 'unconfirmed' | 'gone' | null;
  readonly crypto: string;
  readonly currency: string;
  readonly fiatCents: number;
  readonly usdCents: number;
  /** Seconds after the creation. */
  readonly paidAfter: readonly number[];
  readonly completedAfter: number;
}

const SCOPE = { merchantId: 'mer_stats', mode: 'live' } as const;
const FROM = Date.parse('2026-01-28T00:00:00Z');

const sample: fc.Arbitrary<Sample> = fc.record({
  createdAt: fc.oneof(
    fc.integer({ min: FROM - 5 * DAY_MS, max: FROM + 45 * DAY_MS }),
    // On the edges of days.
    fc.integer({ min: -5, max: 45 }).map((day) => FROM + day * DAY_MS),
  ),
  status: fc.constantFrom(...TRANSACTION_STATUSES),
  isUndecided: fc.boolean(),
  loss: fc.constantFrom(null, null, 'unconfirmed', 'gone'),
  crypto: fc.constantFrom(...Object.keys(ASSETS).slice(0, 4)),
  currency: fc.constantFrom('USD', 'EUR', 'PLN'),
  fiatCents: fc.integer({ min: 1, max: 1e14 }),
  usdCents: fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 1e14 })),
  paidAfter: fc.array(fc.integer({ min: -30, max: 5_000 }), { maxLength: 2 }),
  completedAfter: fc.integer({ min: 0, max: 90_000 }),
});

const range: fc.Arbitrary<StatsRange> = fc.record({
  from: fc.integer({ min: FROM - 4 * DAY_MS, max: FROM + 20 * DAY_MS }),
  to: fc.integer({ min: FROM + 21 * DAY_MS, max: FROM + 44 * DAY_MS }),
  interval: fc.constantFrom('day', 'week', 'month'),
});

describeBothDatabases('statistics', (database) => {
  const read = (request: StatsRange) => getStats(database().db, SCOPE, request);

  beforeEach(() => clear(database().db));

  test('equal a manual count, for any transactions and any range', async () => {
    await assertAsyncProperty(
      fc.asyncProperty(fc.array(sample, { maxLength: 40 }), range, async (samples, request) => {
        await clear(database().db);
        await store(database().db, samples);
        expect(await read(request)).toEqual(byHand(samples, request));
        const countsGone = { ...request, countsGone: true };
        expect(await read(countsGone)).toEqual(byHand(samples, countsGone));
      }),
      { numRuns: level.runs(60) },
    );
  });

  test('of no payments are zeros, with all statuses and all days, and no averages', async () => {
    const stats = await read({ from: FROM, to: FROM + 2 * DAY_MS, interval: 'day' });
    expect(stats).toEqual({
      totals: {
        ...NOTHING,
        expired: 0,
        partial: 0,
        failed: 0,
        paidLate: 0,
        gone: 0,
        completionRate: null,
        conversionRate: null,
        averageUsd: null,
      },
      byStatus: { pending: 0, awaiting_confirmation: 0, completed: 0, partial: 0, expired: 0, failed: 0 },
      byCoin: [],
      byCurrency: [],
      series: [
        { startsAt: FROM, ...NOTHING },
        { startsAt: FROM + DAY_MS, ...NOTHING },
      ],
      medianSecondsToFirstPayment: null,
      medianSecondsToComplete: null,
    });
  });

  test.each([
    [{ from: FROM, to: FROM }, 'from must be before to'],
    [{ from: FROM - 367 * DAY_MS, to: FROM }, 'from must be at most 366 days before to'],
    [{ from: Date.parse('0000-12-31'), to: Date.parse('0001-01-02') }, 'from must be 0001-01-01 or later'],
  ])('refuse the range %o', async (ends, message) => {
    const rejection = { code: 'INVALID_REQUEST', message, field: 'from' };
    await expect(read({ ...ends, interval: 'day' })).rejects.toMatchObject(rejection);
  });

  test('exclude other merchants, the other mode, and everything outside of the range', async () => {
    const one: Sample = {
      createdAt: FROM,
      status: 'completed',
      isUndecided: false,
      loss: null,
      crypto: 'LTC',
      currency: 'USD',
      fiatCents: 100,
      usdCents: 100,
      paidAfter: [10],
      completedAfter: 20,
    };
    await store(database().db, [one], { ...SCOPE, merchantId: 'mer_other' });
    await store(database().db, [one], { ...SCOPE, mode: 'test' });
    await store(database().db, [
      { ...one, createdAt: FROM - 1 },
      { ...one, createdAt: FROM + DAY_MS },
    ]);
    expect((await read({ from: FROM, to: FROM + DAY_MS, interval: 'day' })).totals.created).toBe(0);
    expect((await read({ from: FROM - 1, to: FROM + DAY_MS + 1, interval: 'day' })).totals.created).toBe(2);
  });
});

describe('the steps of a series', () => {
  const day = (text: string) => Date.parse(`${text}T00:00:00Z`);

  test.each([
    ['day', '2026-02-27', '2026-03-02', ['2026-02-27', '2026-02-28', '2026-03-01']],
    // 1 March 2026 is a Sunday.
    ['week', '2026-03-01', '2026-03-03', ['2026-02-23', '2026-03-02']],
    ['month', '2025-12-31', '2026-02-01', ['2025-12-01', '2026-01-01']],
    ['month', '2028-02-29', '2028-03-02', ['2028-02-01', '2028-03-01']],
  ] as const)('by %s from %s to %s', (interval, from, to, starts) => {
    expect(startsOfBuckets({ from: day(from), to: day(to), interval })).toEqual(starts.map(day));
  });

  test('contain every moment of the range in one of them, without gaps', () => {
    assertProperty(
      fc.property(range, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (request, part) => {
        const starts = startsOfBuckets(request);
        const at = Math.floor(request.from + part * (request.to - request.from));
        const holding = starts.filter((start, index) => start <= at && at < (starts[index + 1] ?? Number.MAX_VALUE));
        expect(holding).toHaveLength(1);
        expect(starts.at(-1)).toBeLessThan(request.to);
      }),
    );
  });
});

// Helpers

const NOTHING: StatsTotals = { created: 0, completed: 0, open: 0, volumeUsd: '0', volumes: [] };

async function clear(db: Kysely<Database>): Promise<void> {
  await deleteTransactions(db);
  await sql`delete from payment`.execute(db);
}

async function store(
  db: Kysely<Database>,
  samples: readonly Sample[],
  scope: { readonly merchantId: string; readonly mode: Mode } = SCOPE,
): Promise<void> {
  for (const [index, each] of samples.entries()) {
    const id = `txn_${scope.merchantId}_${scope.mode}_${index}`;
    const moment = (seconds: number) => new Date(each.createdAt + seconds * 1_000);
    await insertTransactionRows(db, [
      {
        id,
        merchant_id: scope.merchantId,
        mode: scope.mode,
        type: 'basic',
        status: each.status,
        exception: exceptionOf(each),
        loss: each.status === 'completed' ? each.loss : null,
        crypto: each.crypto,
        network: 'litecoin-mainnet',
        deposit_address: id,
        due_base_units: '1',
        paid_base_units: '0',
        amount_crypto: '1',
        amount_fiat: decimal(BigInt(each.fiatCents)),
        amount_usd: decimal(BigInt(each.usdCents)),
        currency_fiat: each.currency,
        fiat_to_usd_rate: '1',
        exchange_rate: '1',
        rate_sources: [],
        confirmations_required: 1,
        created_at: moment(0),
        updated_at: moment(0),
        expires_at: moment(1_800),
        completed_at: each.status === 'completed' ? moment(each.completedAfter) : null,
      },
    ]);
    for (const [number, seconds] of each.paidAfter.entries()) {
      await db
        .insertInto('payment')
        .values({
          transaction_id: id,
          output_id: `${number}`,
          network: 'litecoin-mainnet',
          amount_base_units: '1',
          presence: 'mempool',
          status: 'detected',
          first_seen_at: moment(seconds),
        })
        .execute();
    }
  }
}

/** The same numbers computed naively: no SQL, whole cents. */
function byHand(samples: readonly Sample[], { from, to, interval, countsGone = false }: StatsRange): Stats {
  const all = samples.filter(({ createdAt }) => createdAt >= from && createdAt < to);
  const countOf = (status: string) => all.filter((each) => each.status === status).length;
  const paidOf = (part: readonly Sample[]) => part.filter((each) => isPaid(each) || (countsGone && isGone(each)));
  const inFiat = (part: readonly Sample[], currency: string) => part.filter((each) => each.currency === currency);
  const share = (part: readonly Sample[]): StatsTotals => {
    const paid = paidOf(part);
    const volumes = FIAT_CURRENCIES.map((currency) => ({ currency, paid: inFiat(paid, currency) }))
      .filter((each) => each.paid.length > 0)
      .sort(
        (a, b) =>
          Number(sum(b.paid, 'usdCents') - sum(a.paid, 'usdCents')) ||
          inFiat(part, b.currency).length - inFiat(part, a.currency).length,
      )
      .map((each) => ({ currency: each.currency, amount: decimal(sum(each.paid, 'fiatCents')) }));
    const open = part.filter(isOpen).length;
    return { created: part.length, completed: paid.length, open, volumeUsd: decimal(sum(paid, 'usdCents')), volumes };
  };
  const starts = startsOfBuckets({ from, to, interval });
  const paid = paidOf(all);
  return {
    totals: {
      ...share(all),
      expired: countOf('expired'),
      partial: countOf('partial'),
      failed: countOf('failed'),
      paidLate: all.filter((each) => exceptionOf(each) === 'paid_late').length,
      gone: all.filter(isGone).length,
      completionRate: ratio(BigInt(paid.length) * 10_000n, all.length, 4),
      conversionRate: ratio(BigInt(paid.length) * 10_000n, all.filter((each) => !isOpen(each)).length, 4),
      averageUsd: ratio(sum(paid, 'usdCents'), paid.length, 2),
    },
    byStatus: Object.fromEntries(TRANSACTION_STATUSES.map((status) => [status, countOf(status)])) as Stats['byStatus'],
    byCoin: CRYPTO_SYMBOLS.map((crypto) => ({ crypto, ...share(all.filter((each) => each.crypto === crypto)) }))
      .filter(({ created }) => created > 0)
      .sort(mostWorthFirst),
    byCurrency: FIAT_CURRENCIES.map((currency) => {
      const part = inFiat(all, currency);
      const { volumes: _, ...counts } = share(part);
      return {
        currency,
        ...counts,
        volume: decimal(sum(paidOf(part), 'fiatCents')),
        average: ratio(sum(paidOf(part), 'fiatCents'), counts.completed, 2),
        gone: part.filter(isGone).length,
        goneVolume: decimal(sum(part.filter(isGone), 'fiatCents')),
      };
    })
      .filter(({ created }) => created > 0)
      .sort(mostWorthFirst),
    series: starts.map((start, index) => {
      const end = starts[index + 1] ?? to;
      const part = all.filter(({ createdAt }) => createdAt >= start && createdAt < end);
      return { startsAt: start, ...share(part) };
    }),
    medianSecondsToFirstPayment: median(
      all.flatMap(({ paidAfter }) => (paidAfter.length === 0 ? [] : [Math.max(0, Math.min(...paidAfter))])),
    ),
    medianSecondsToComplete: median(
      all.flatMap(({ status, completedAfter }) => (status === 'completed' ? [completedAfter] : [])),
    ),
  };
}

/** Equal ones stay in the order of the symbols. */
function mostWorthFirst(a: { volumeUsd: string; created: number }, b: { volumeUsd: string; created: number }): number {
  return Number(b.volumeUsd) - Number(a.volumeUsd) || b.created - a.created;
}

function exceptionOf({ status, isUndecided }: Sample): 'paid_late' | 'needs_review' | null {
  if (!isUndecided) return null;
  if (status === 'expired') return 'paid_late';
  return status === 'pending' ? 'needs_review' : null;
}

function isPaid({ status, loss }: Sample): boolean {
  return status === 'completed' && loss !== 'gone';
}

function isGone({ status, loss }: Sample): boolean {
  return status === 'completed' && loss === 'gone';
}

/** It has not ended, or waits for a decision. */
function isOpen(each: Sample): boolean {
  return !['completed', 'expired', 'failed'].includes(each.status) || exceptionOf(each) !== null;
}

function sum(samples: readonly Sample[], field: 'usdCents' | 'fiatCents'): bigint {
  return samples.reduce((total, each) => total + BigInt(each[field]), 0n);
}

/** Cents, or ten-thousandths, as a decimal without trailing zeros. */
function decimal(units: bigint, places = 2): string {
  const digits = units.toString().padStart(places + 1, '0');
  return `${digits.slice(0, -places)}.${digits.slice(-places)}`.replace(/\.?0+$/, '');
}

/** A half is rounded up. */
function ratio(numerator: bigint, count: number, places: number): string | null {
  const denominator = BigInt(count);
  return count === 0 ? null : decimal((numerator * 2n + denominator) / (denominator * 2n), places);
}

/** PostgreSQL rounds halves of doubles to even. */
function median(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted((a, b) => a - b);
  const middle =
    ((sorted[Math.floor((sorted.length - 1) / 2)] ?? 0) + (sorted[Math.floor(sorted.length / 2)] ?? 0)) / 2;
  const whole = Math.floor(middle);
  return middle - whole === 0.5 ? whole + (whole % 2) : Math.round(middle);
}

import fc from 'fast-check';
import { DAY_MS, formatCoins, INTERVALS, type ScheduleTerms } from '../../../machines/index.ts';
import type { recurringEventBody } from '../../recurring/index.ts';
import { CREATED_AT, PRICED_CRYPTOS, type PricedCrypto } from '../terms.ts';

/** A recurring payment request and how the customer pays it. */
export interface ScheduleOrder {
  readonly terms: ScheduleTerms;
  readonly details: Parameters<typeof recurringEventBody>[0]['schedule'];
  readonly crypto: PricedCrypto;
  /** US cents per period. */
  readonly cents: bigint;
}

const MAX_PERIODS = 6;

/** Requests of 1 to 500 USD, with and without a start date, a last period and a reference. */
export const scheduleOrders: fc.Arbitrary<ScheduleOrder> = fc
  .record({
    number: fc.nat({ max: 2 ** 31 - 1 }),
    interval: fc.constantFrom(...INTERVALS),
    startInDays: fc.option(fc.integer({ min: 0, max: 60 })),
    maxPeriods: fc.option(fc.integer({ min: 1, max: MAX_PERIODS })),
    hasReference: fc.boolean(),
    crypto: fc.constantFrom(...PRICED_CRYPTOS),
    cents: fc.bigInt({ min: 100n, max: 50_000n }),
  })
  .map(({ number, interval, startInDays, maxPeriods, hasReference, crypto, cents }) => ({
    terms: {
      scheduleId: uuidOf(number),
      interval,
      startAt: startInDays === null ? null : CREATED_AT + startInDays * DAY_MS,
      maxPeriods,
      createdAt: CREATED_AT,
    },
    details: {
      mode: 'live' as const,
      reference: hasReference ? `customer-${number}` : null,
      customerEmail: 'customer@example.com',
      description: 'A box of tea',
      amountFiat: formatCoins(cents, 2),
      currencyFiat: 'USD',
      interval,
    },
    crypto,
    cents,
  }));

// Helpers

/** A UUID in version 4 format (RFC 9562), always the same for a number. */
function uuidOf(number: number): string {
  return `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;
}

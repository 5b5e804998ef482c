export { MAX_QUOTE_UNITS, type QuotedAmounts, type QuoteRequest, quote } from './amount-due.ts';
export { createRates, type Rates } from './create-rates.ts';
export { fiatCents, MAX_FIAT_AMOUNT, parseFiatAmount } from './fiat-amount.ts';
export { createRatesAgent } from './http/source-client.ts';
export { medianPrice } from './median-price.ts';
export { MINIMUM_USD_CENTS, meetsMinimumUsd } from './minimum-amount.ts';
export {
  createRateTable,
  RATES_MAX_AGE_MS,
  type RateTable,
  ratesUnavailable,
  requireRates,
  type WritableRateTable,
} from './rate-table.ts';
export type { Quotes, RateSource } from './source.ts';
export { createFixedSource } from './sources/fixed.ts';
export {
  PUBLIC_SOURCE_NAMES,
  type PublicSourceName,
  publicRateSources,
  type SourceBaseUrls,
} from './sources/public.ts';
export { SAMPLE_RATES } from './sources/sample.ts';

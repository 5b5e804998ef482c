export type { FiatAmountProblem, FiatAmountResult } from './fiat-amount.ts';
export { MAX_FIAT_AMOUNT, meetsMinimumUsd, parseFiatAmount } from './fiat-amount.ts';
export { createRatesAgent } from './http/agent.ts';
export type { AgreedPrice, SourcedPrice } from './median.ts';
export { agreedPrice } from './median.ts';
export type { QuotedAmounts, QuoteRequest } from './quote.ts';
export { MAX_QUOTE_UNITS, quote } from './quote.ts';
export type { Rate, RatePair, RateTable, SourceStatus, WritableRateTable } from './rate-table.ts';
export { createRateTable, RATES_MAX_AGE_MS, ratesUnavailable, requireRates } from './rate-table.ts';
export type { Rates, RatesDeps } from './rates.ts';
export { createRates } from './rates.ts';
export type { Quotes, RateSource } from './source.ts';
export { REFRESH_INTERVAL_MS } from './source.ts';
export { createFixedSource } from './sources/fixed.ts';
export type { PublicRateSourcesDeps, PublicSourceName, SourceBaseUrls } from './sources/public.ts';
export { PUBLIC_SOURCE_NAMES, publicRateSources } from './sources/public.ts';
export { SAMPLE_RATES } from './sources/sample.ts';
export {
  confirmationDeadlineMs,
  confirmationsRequired,
  lossSettlesMs,
  MAX_TOLERANCE_BASIS_POINTS,
  MAX_WINDOW_MINUTES,
  MIN_WINDOW_MINUTES,
  toleranceBaseUnits,
  windowMs,
} from './terms.ts';

import { parseCoins } from '../vocabulary/amount.ts';
import { ASSETS, type Chain, type CryptoSymbol } from '../vocabulary/asset.ts';
import { HOUR_MS, MINUTE_MS } from '../vocabulary/time.ts';

/** Payment terms by coin, amount and merchant settings; fixed when the payment is created. */

const WINDOW_MINUTES = 30;
/** A stablecoin's price hardly changes, so its quote can stay open longer. */
const STABLE_WINDOW_MINUTES = 60;
export const MIN_WINDOW_MINUTES = 10;
export const MAX_WINDOW_MINUTES = 1_440;

const UTXO_CONFIRMATION_DEADLINE_MS = 24 * HOUR_MS;
const EVM_CONFIRMATION_DEADLINE_MS = 6 * HOUR_MS;

/** Blocks in 12 hours. With more, received coins would stay unconfirmed half a day or forever. */
const MAX_CONFIRMATIONS: { readonly [C in Chain]: number } = {
  bitcoin: 72,
  litecoin: 288,
  dogecoin: 720,
  dash: 288,
  ethereum: 3_600,
};

const LOSS_SETTLES_MS = 20 * MINUTE_MS;
const REGTEST_LOSS_SETTLES_MS = 5_000;

/** 5 %: a larger shortfall cannot be explained by an exchange's withdrawal fee. */
export const MAX_TOLERANCE_BASIS_POINTS = 500;
const BASIS_POINTS_OF_ALL = 10_000n;

/** Any amount in USD has fewer decimals; quoted ones have two. */
const USD_DECIMALS = 40;
const MIDDLE_TIER_FROM_USD = parseCoins('1000', USD_DECIMALS);
const TOP_TIER_ABOVE_USD = parseCoins('10000', USD_DECIMALS);

/** Payment window in ms: the merchant's setting (10 to 1440 minutes) or the coin's default. */
export function windowMs(symbol: CryptoSymbol, merchantMinutes: number | null): number {
  if (merchantMinutes === null) {
    return (ASSETS[symbol].stable ? STABLE_WINDOW_MINUTES : WINDOW_MINUTES) * MINUTE_MS;
  }
  requireWhole('the payment window in minutes', merchantMinutes, MIN_WINDOW_MINUTES, MAX_WINDOW_MINUTES);
  return merchantMinutes * MINUTE_MS;
}

/** How long a detected payment may stay unconfirmed before it fails, in ms. */
export function confirmationDeadlineMs(symbol: CryptoSymbol): number {
  return ASSETS[symbol].family === 'evm' ? EVM_CONFIRMATION_DEADLINE_MS : UTXO_CONFIRMATION_DEADLINE_MS;
}

/**
 * How long outputs that disappeared after the window must stay gone until they count as lost, in
 * ms: 20 minutes, enough for most nodes to restart and load their mempool. 5 seconds on regtest,
 * which has no other nodes to wait for.
 */
export function lossSettlesMs(network: string): number {
  return network.endsWith('-regtest') ? REGTEST_LOSS_SETTLES_MS : LOSS_SETTLES_MS;
}

/**
 * Required confirmations by amount: below 1,000 USD, from 1,000 to 10,000 USD, above. A merchant's
 * minimum can raise the number, up to the blocks of 12 hours, but never lower it.
 */
export function confirmationsRequired(
  symbol: CryptoSymbol,
  amountUsd: string,
  merchantMinimum: number | null = null,
): number {
  const usd = parseCoins(amountUsd, USD_DECIMALS, 'amountUsd');
  const [small, middle, large] = ASSETS[symbol].confirmations;
  const byWorth = () => {
    if (usd < MIDDLE_TIER_FROM_USD) return small;
    return usd > TOP_TIER_ABOVE_USD ? large : middle;
  };
  if (merchantMinimum === null) return byWorth();
  requireWhole('the merchant minimum of confirmations', merchantMinimum, 1, Number.MAX_SAFE_INTEGER);
  return Math.max(byWorth(), Math.min(merchantMinimum, MAX_CONFIRMATIONS[ASSETS[symbol].chain]));
}

/** Tolerated underpayment in base units, rounded down. 50 basis points are 0.5 %. */
export function toleranceBaseUnits(dueBaseUnits: bigint, basisPoints: number): bigint {
  requireWhole('the tolerance in basis points', basisPoints, 0, MAX_TOLERANCE_BASIS_POINTS);
  if (dueBaseUnits < 0n) throw new RangeError(`dueBaseUnits cannot be negative, got ${dueBaseUnits}`);
  return (dueBaseUnits * BigInt(basisPoints)) / BASIS_POINTS_OF_ALL;
}

// Helpers

function requireWhole(what: string, value: number, min: number, max: number): void {
  if (Number.isSafeInteger(value) && value >= min && value <= max) return;
  throw new RangeError(`${what} must be a whole number from ${min} to ${max}, got ${value}`);
}

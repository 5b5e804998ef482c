import { parseCoins } from '../../vocabulary/amount.ts';
import { ASSETS, type Chain, type CryptoSymbol } from '../../vocabulary/asset.ts';
import { HOUR_MS, MINUTE_MS, type UnixMs } from '../../vocabulary/time.ts';
import type { OutputRecord, TransactionContext } from '../context.ts';
import type { OutputEvent } from '../outputs.ts';
import { isInTime } from './in-time.ts';
import { isLive } from './live.ts';
import { requireWhole } from './require-whole.ts';
import { tallyIn } from './sums.ts';
import { requiredBaseUnits } from './tolerance.ts';

/** How deep coins must be in the chain, how that is verified, and until when it may take. */

const UTXO_CONFIRMATION_DEADLINE_MS = 24 * HOUR_MS;

const EVM_CONFIRMATION_DEADLINE_MS = 6 * HOUR_MS;

/** A verification unanswered for this long is requested again. */
export const VERIFICATION_OVERDUE_MS = 10 * MINUTE_MS;

/** Blocks in 12 hours. With more, received coins would stay unconfirmed half a day or forever. */
const MAX_CONFIRMATIONS: { readonly [C in Chain]: number } = {
  bitcoin: 72,
  litecoin: 288,
  dogecoin: 720,
  dash: 288,
  ethereum: 3_600,
};

/** Any amount in USD has fewer decimals; quoted ones have two. */
const USD_DECIMALS = 40;

const MIDDLE_TIER_FROM_USD = parseCoins('1000', USD_DECIMALS);

const TOP_TIER_ABOVE_USD = parseCoins('10000', USD_DECIMALS);

/** For an amount below 1,000 USD, from 1,000 to 10,000 USD, and above. */
const CONFIRMATIONS: { readonly [C in Chain]: readonly [small: number, middle: number, large: number] } = {
  bitcoin: [1, 2, 6],
  litecoin: [3, 6, 12],
  dogecoin: [6, 20, 40],
  dash: [2, 6, 10],
  ethereum: [12, 32, 64],
};

/**
 * Required confirmations by chain and amount. A merchant's minimum can raise the number, up to the
 * blocks of 12 hours, but never lower it.
 */
export function confirmationsRequired(
  symbol: CryptoSymbol,
  amountUsd: string,
  merchantMinimum: number | null = null,
): number {
  const usd = parseCoins(amountUsd, USD_DECIMALS, 'amountUsd');
  const { chain } = ASSETS[symbol];
  const [small, middle, large] = CONFIRMATIONS[chain];
  const byWorth = () => {
    if (usd < MIDDLE_TIER_FROM_USD) return small;
    return usd > TOP_TIER_ABOVE_USD ? large : middle;
  };
  if (merchantMinimum === null) return byWorth();
  requireWhole('the merchant minimum of confirmations', merchantMinimum, 1, Number.MAX_SAFE_INTEGER);
  return Math.max(byWorth(), Math.min(merchantMinimum, MAX_CONFIRMATIONS[chain]));
}

/** How long a detected payment may stay unconfirmed before it fails, in ms. */
export function confirmationDeadlineMs(symbol: CryptoSymbol): number {
  return ASSETS[symbol].family === 'evm' ? EVM_CONFIRMATION_DEADLINE_MS : UTXO_CONFIRMATION_DEADLINE_MS;
}

/**
 * When the coins that cover the due amount must be in blocks: a fixed time after the last one
 * needed was first seen, or returned to the mempool (a deadline that passed while it was away fails
 * nothing). Dust, surplus and late coins do not move it. Null once coins seen in time cover the
 * amount in blocks. Also null while coins in time fall short: a loss has its own timeout, and coins
 * that reappear must not meet a deadline that passed in the meantime.
 */
export function confirmationDeadline(context: TransactionContext): UnixMs | null {
  const required = requiredBaseUnits(context);
  const { minedInTime, inTime } = tallyIn(context);
  if (minedInTime >= required || inTime < required) return null;
  let [sum, lastNeededAt] = [0n, context.createdAt];
  for (const output of context.outputs) {
    if (sum >= required) break;
    if (!isLive(output) || !isInTime(context, output)) continue;
    sum += BigInt(output.amountBaseUnits);
    lastNeededAt = Math.max(lastNeededAt, output.backSince ?? output.firstSeenAt);
  }
  return lastNeededAt + context.confirmationDeadlineMs;
}

/** The next chain height at which an output may reach its required depth; null when none waits. */
export function nextDepthHeight(context: TransactionContext): number | null {
  const heights = unverified(context).map((output) => depthHeight(context, output));
  return heights.length === 0 ? null : Math.min(...heights);
}

/** Outputs whose depth can be verified once the chain has `height`. */
export function outputsDeepAt(context: TransactionContext, height: number): OutputRecord[] {
  return unverified(context).filter((output) => depthHeight(context, output) <= height);
}

/** Adapts an observation: where depth is required, a block lock only means "in a block". */
export function asObserved(context: TransactionContext, event: OutputEvent): OutputEvent {
  if (event.type !== 'chain.output_confirmed' || event.byLock !== true || context.waitsForDepth !== true) return event;
  const { byLock: _, ...placed } = event;
  return { ...placed, type: 'chain.output_mined' };
}

/** True while the depth verification of some output is pending. */
export function isVerifying(context: TransactionContext): boolean {
  return context.outputs.some((output) => output.verifying);
}

// Helpers

function unverified(context: TransactionContext): OutputRecord[] {
  return context.outputs.filter(
    (output) => output.presence === 'block' && output.confirmedAt === null && !output.verifying,
  );
}

/** The output's own block is its first confirmation. */
function depthHeight(context: TransactionContext, output: OutputRecord): number {
  return (output.height ?? 0) + context.confirmationsRequired - 1;
}

import { ASSETS, type CryptoSymbol } from '../../vocabulary/asset.ts';
import { HOUR_MS, type UnixMs } from '../../vocabulary/time.ts';
import type { TransactionContext } from '../context.ts';
import { isInTime } from './in-time.ts';
import { isLive } from './live.ts';
import { tallyIn } from './sums.ts';
import { requiredBaseUnits } from './tolerance.ts';

const UTXO_CONFIRMATION_DEADLINE_MS = 24 * HOUR_MS;

const EVM_CONFIRMATION_DEADLINE_MS = 6 * HOUR_MS;

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

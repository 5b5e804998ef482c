import type { TransactionContext } from '../context.ts';
import { isDeclined } from './declined-coins.ts';
import { isWithin, limitsOf, type TimeLimits } from './in-time-limits.ts';
import { isLive } from './live.ts';

/** Sums over one set of outputs, in base units. Declined coins are in none but the first. */
export interface Tally {
  readonly seen: bigint;
  readonly seenNotDeclined: bigint;
  readonly confirmed: bigint;
  readonly inTime: bigint;
  readonly everInTime: bigint;
  readonly minedInTime: bigint;
  readonly confirmedInTime: bigint;
}

/** Live coins, confirmed or not: what the customer has sent as far as the chain shows. */
export function seenBaseUnits(context: TransactionContext): bigint {
  return tallyIn(context).seen;
}

/** The same without declined coins: what a merchant accepts, and what is left of it. */
export function seenNotDeclinedBaseUnits(context: TransactionContext): bigint {
  return tallyIn(context).seenNotDeclined;
}

/** Live coins in time; see `isInTime`. Only these can lead to completion. */
export function inTimeBaseUnits(context: TransactionContext): bigint {
  return tallyIn(context).inTime;
}

/** Coins first seen inside the window, including those gone since. */
export function everInTimeBaseUnits(context: TransactionContext): bigint {
  return tallyIn(context).everInTime;
}

/** Coins verified at their required depth, without declined ones. */
export function confirmedBaseUnits(context: TransactionContext): bigint {
  return tallyIn(context).confirmed;
}

/** Coins seen inside the window and verified at depth. Late coins never complete a payment. */
export function confirmedInTimeBaseUnits(context: TransactionContext): bigint {
  return tallyIn(context).confirmedInTime;
}

/** The sums of a payment. */
export function tallyIn(context: TransactionContext): Tally {
  const { outputs, acknowledgedOutputIds, declinedOutputIds } = context;
  const limits = limitsOf(context);
  const isKnown =
    last?.outputs === outputs &&
    last.acknowledgedOutputIds === acknowledgedOutputIds &&
    last.declinedOutputIds === declinedOutputIds &&
    last.firstSeenUntil === limits.firstSeenUntil &&
    last.sentAgainUntil === limits.sentAgainUntil;
  if (last === null || !isKnown) {
    last = { outputs, acknowledgedOutputIds, declinedOutputIds, ...limits, tally: tally(context, limits) };
  }
  return last.tally;
}

// Helpers

/**
 * The newest result. The guards of one step read the sums of the same outputs about seven times:
 * without this cache a step of a payment with 500 outputs takes twice the CPU time. It is safe to
 * share between payments, because outputs are immutable and compared by identity.
 */
let last: Tallied | null = null;

interface Tallied
  extends TimeLimits,
    Pick<TransactionContext, 'outputs' | 'acknowledgedOutputIds' | 'declinedOutputIds'> {
  readonly tally: Tally;
}

function tally(context: TransactionContext, limits: TimeLimits): Tally {
  const declines = isDeclined(context);
  let [seen, seenNotDeclined, confirmed, inTime, everInTime, minedInTime, confirmedInTime] = [
    0n,
    0n,
    0n,
    0n,
    0n,
    0n,
    0n,
  ];
  for (const output of context.outputs) {
    const amount = BigInt(output.amountBaseUnits);
    if (isLive(output)) seen += amount;
    if (declines(output)) continue;
    const isInTime = isWithin(output, limits);
    if (isInTime) everInTime += amount;
    if (!isLive(output)) continue;
    seenNotDeclined += amount;
    if (output.confirmedAt !== null) confirmed += amount;
    if (!isInTime) continue;
    inTime += amount;
    if (output.presence === 'block') minedInTime += amount;
    if (output.confirmedAt !== null) confirmedInTime += amount;
  }
  return { seen, seenNotDeclined, confirmed, inTime, everInTime, minedInTime, confirmedInTime };
}

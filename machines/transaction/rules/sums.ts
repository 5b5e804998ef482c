import type { BaseUnitsString } from '../../vocabulary/amount.ts';
import type { UnixMs } from '../../vocabulary/time.ts';
import type { OutputRecord, TransactionContext } from '../context.ts';

/** Sum of the amounts, in base units. */
export function sumBaseUnits(outputs: readonly { readonly amountBaseUnits: BaseUnitsString }[]): bigint {
  return outputs.reduce((sum, output) => sum + BigInt(output.amountBaseUnits), 0n);
}

/** Sums over one set of outputs, in base units. */
export interface Tally {
  readonly seen: bigint;
  readonly confirmed: bigint;
  readonly inTime: bigint;
  readonly everInTime: bigint;
  readonly minedInTime: bigint;
  readonly confirmedInTime: bigint;
}

/** In the mempool or in a block, and not replaced. */
export function isLive({ presence, superseded }: OutputRecord): boolean {
  return presence !== 'gone' && superseded !== true;
}

/** Bounds of what is in time, both included. */
export interface TimeLimits {
  readonly firstSeenUntil: UnixMs;
  /** For a replacement, which inherits its first sighting: its own first sighting. */
  readonly sentAgainUntil: UnixMs;
}

/** Whether an output was first seen in time, itself or through what it replaced soon enough. */
export function isWithin(output: OutputRecord, limits: TimeLimits): boolean {
  return output.firstSeenAt <= limits.firstSeenUntil && !isSentAgainAfter(output, limits);
}

/** Whether an output replaces one seen before, and was itself seen only after the limit. */
export function isSentAgainAfter({ ownSighting }: OutputRecord, { sentAgainUntil }: TimeLimits): boolean {
  return ownSighting !== undefined && ownSighting.at > sentAgainUntil;
}

/** The sums of these outputs. */
export function tallyOf(outputs: readonly OutputRecord[], limits: TimeLimits): Tally {
  const { firstSeenUntil, sentAgainUntil } = limits;
  const isKnown = last.firstSeenUntil === firstSeenUntil && last.sentAgainUntil === sentAgainUntil;
  if (last.outputs !== outputs || !isKnown) last = { outputs, ...limits, tally: tally(outputs, limits) };
  return last.tally;
}

/** Live coins, confirmed or not: what the customer has sent as far as the chain shows. */
export function seenBaseUnits(context: TransactionContext): bigint {
  return tallyIn(context).seen;
}

/** Live coins in time; see `isInTime`. Only these can lead to completion. */
export function inTimeBaseUnits(context: TransactionContext): bigint {
  return tallyIn(context).inTime;
}

/** Coins first seen inside the window, including those gone since. */
export function everInTimeBaseUnits(context: TransactionContext): bigint {
  return tallyIn(context).everInTime;
}

/** Coins verified at their required depth. */
export function confirmedBaseUnits(context: TransactionContext): bigint {
  return tallyIn(context).confirmed;
}

/** Coins seen inside the window and verified at depth. Late coins never complete a payment. */
export function confirmedInTimeBaseUnits(context: TransactionContext): bigint {
  return tallyIn(context).confirmedInTime;
}

/** The sums of a payment; see `tallyOf`. */
export function tallyIn(context: TransactionContext): Tally {
  return tallyOf(context.outputs, limitsOf(context));
}

/**
 * While a review has stopped the clock before the end of the window, all coins are in time:
 * `expiresAt` will move past them.
 */
export function limitsOf({ review, expiresAt, confirmationDeadlineMs }: TransactionContext): TimeLimits {
  const isClockStopped = review !== null && review.resolvedAt === null && review.startedAt <= expiresAt;
  const firstSeenUntil = isClockStopped ? Number.POSITIVE_INFINITY : expiresAt;
  return { firstSeenUntil, sentAgainUntil: firstSeenUntil + confirmationDeadlineMs };
}

// Helpers

const NOTHING: TimeLimits = { firstSeenUntil: 0, sentAgainUntil: 0 };
/**
 * The newest result. The guards of one step read the sums of the same outputs about seven times:
 * without this cache a step of a payment with 500 outputs takes twice the CPU time. It is safe to
 * share between payments, because outputs are immutable and compared by identity.
 */
let last = { outputs: [] as readonly OutputRecord[], ...NOTHING, tally: tally([], NOTHING) };

function tally(outputs: readonly OutputRecord[], limits: TimeLimits): Tally {
  let [seen, confirmed, inTime, everInTime, minedInTime, confirmedInTime] = [0n, 0n, 0n, 0n, 0n, 0n];
  for (const output of outputs) {
    const amount = BigInt(output.amountBaseUnits);
    const isInTime = isWithin(output, limits);
    if (isInTime) everInTime += amount;
    if (!isLive(output)) continue;
    seen += amount;
    if (output.confirmedAt !== null) confirmed += amount;
    if (!isInTime) continue;
    inTime += amount;
    if (output.presence === 'block') minedInTime += amount;
    if (output.confirmedAt !== null) confirmedInTime += amount;
  }
  return { seen, confirmed, inTime, everInTime, minedInTime, confirmedInTime };
}

import type { BaseUnitsString } from '../vocabulary/amount.ts';
import type { UnixMs } from '../vocabulary/time.ts';
import type { OutputRecord } from './context.ts';

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

/**
 * The sums of these outputs. The last result is kept, because the guards of one step all ask about
 * the same outputs.
 */
export function tallyOf(outputs: readonly OutputRecord[], limits: TimeLimits): Tally {
  const { firstSeenUntil, sentAgainUntil } = limits;
  const isKnown = last.firstSeenUntil === firstSeenUntil && last.sentAgainUntil === sentAgainUntil;
  if (last.outputs !== outputs || !isKnown) last = { outputs, ...limits, tally: tally(outputs, limits) };
  return last.tally;
}

// Helpers

const NOTHING: TimeLimits = { firstSeenUntil: 0, sentAgainUntil: 0 };
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

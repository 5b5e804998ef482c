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

/**
 * The sums of these outputs, of which those first seen by `inTimeUntil` are in time. The last
 * result is kept, because the guards of one step all ask about the same outputs.
 */
export function tallyOf(outputs: readonly OutputRecord[], inTimeUntil: UnixMs): Tally {
  if (last.outputs !== outputs || last.inTimeUntil !== inTimeUntil) {
    last = { outputs, inTimeUntil, tally: tally(outputs, inTimeUntil) };
  }
  return last.tally;
}

// Helpers

let last = { outputs: [] as readonly OutputRecord[], inTimeUntil: 0, tally: tally([], 0) };

function tally(outputs: readonly OutputRecord[], inTimeUntil: UnixMs): Tally {
  let [seen, confirmed, inTime, everInTime, minedInTime, confirmedInTime] = [0n, 0n, 0n, 0n, 0n, 0n];
  for (const output of outputs) {
    const amount = BigInt(output.amountBaseUnits);
    const isInTime = output.firstSeenAt <= inTimeUntil;
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

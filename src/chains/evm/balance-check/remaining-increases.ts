/** A balance minus the expected balance at a height, in base units; may be negative. */
export interface Reading {
  readonly height: number;
  readonly aboveBaseUnits: bigint;
}

/** An increase that lasts until the last reading, in the block it arrived in. */
export interface BalanceIncrease {
  readonly height: number;
  /** Height of the previous reading: the coins arrived after it. Null for the first reading. */
  readonly afterHeight: number | null;
  readonly baseUnits: bigint;
}

/**
 * Assigns the last reading's surplus to the blocks it arrived in: an amount counts from the reading
 * at which it was reached and never lost again. The increases add up to the last reading if that is
 * above zero; otherwise there are none.
 */
export function remainingIncreases(readings: readonly Reading[]): BalanceIncrease[] {
  const increases: BalanceIncrease[] = [];
  let lasting = readings.at(-1)?.aboveBaseUnits ?? 0n;
  for (let index = readings.length - 1; index >= 0 && lasting > 0n; index -= 1) {
    const reading = readings[index];
    const before = readings[index - 1];
    if (reading === undefined) break;
    const lastingBefore = before === undefined ? 0n : clamp(before.aboveBaseUnits, lasting);
    if (lasting > lastingBefore) {
      const afterHeight = before?.height ?? null;
      increases.unshift({ height: reading.height, afterHeight, baseUnits: lasting - lastingBefore });
    }
    lasting = lastingBefore;
  }
  return increases;
}

// Helpers

/** Limits `value` to the range from 0 to `limit`. */
function clamp(value: bigint, limit: bigint): bigint {
  if (value < 0n) return 0n;
  return value < limit ? value : limit;
}

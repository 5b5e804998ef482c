/** One reading of how far a balance is above what is expected, in base units; negative when it is below. */
export interface Reading {
  readonly height: number;
  readonly aboveBaseUnits: bigint;
}

/** A rise that lasts to the end, in the block it came in. */
export interface Rise {
  readonly height: number;
  /** The reading before: the rise came after this height. Null for the first reading. */
  readonly afterHeight: number | null;
  readonly baseUnits: bigint;
}

/**
 * Assigns the last reading's surplus to the blocks it came in: a surplus counts from where it was reached and never lost
 * again. The rises add up to exactly the last reading, if that is above zero; else there are none.
 */
export function lastingRises(readings: readonly Reading[]): Rise[] {
  const rises: Rise[] = [];
  let lasting = readings.at(-1)?.aboveBaseUnits ?? 0n;
  for (let index = readings.length - 1; index >= 0 && lasting > 0n; index -= 1) {
    const reading = readings[index];
    const before = readings[index - 1];
    if (reading === undefined) break;
    const carried = before === undefined ? 0n : clamp(before.aboveBaseUnits, lasting);
    if (lasting > carried) {
      const afterHeight = before?.height ?? null;
      rises.unshift({ height: reading.height, afterHeight, baseUnits: lasting - carried });
    }
    lasting = carried;
  }
  return rises;
}

// Helpers

/** Between zero and a limit. */
function clamp(value: bigint, limit: bigint): bigint {
  if (value < 0n) return 0n;
  return value < limit ? value : limit;
}

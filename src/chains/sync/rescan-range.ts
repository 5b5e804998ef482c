import type { RescanRange, RescanResult } from '../port.ts';

/** Blocks read, matched and reported together. */
const BLOCKS_PER_BATCH = 10;
/** Maximum number of times a batch is read because the tip moved. */
export const BATCH_ROUNDS = 6;

/**
 * Calls `rescanBatch` for one batch of the range after another; it returns how many outputs it
 * reported. Polls first, so that what is reported is followed from then on. Throws a `RangeError`
 * for blocks outside the chain.
 */
export async function rescanRange(
  { fromHeight, toHeight }: RescanRange,
  poll: () => Promise<{ readonly tipHeight: number }>,
  rescanBatch: (fromHeight: number, toHeight: number) => Promise<number>,
): Promise<RescanResult> {
  const { tipHeight } = await poll();
  if (fromHeight < 0 || toHeight < fromHeight || toHeight > tipHeight) {
    throw new RangeError(`blocks ${fromHeight} to ${toHeight} do not exist: the chain has blocks 0 to ${tipHeight}`);
  }
  let outputs = 0;
  for (let start = fromHeight; start <= toHeight; start += BLOCKS_PER_BATCH) {
    outputs += await rescanBatch(start, Math.min(toHeight, start + BLOCKS_PER_BATCH - 1));
  }
  return { blocks: toHeight - fromHeight + 1, outputs };
}

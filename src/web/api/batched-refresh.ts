/** A response that takes longer than this is not waited for. */
const MAX_WAIT_MS = 10_000;

/**
 * Refreshes paths once for all changes within an interval in ms; the first change after a quiet
 * period immediately. The next refresh starts when the last one has ended: otherwise responses that
 * take longer than the interval would never be shown, only requested again.
 */
export function createBatchedRefresh(
  refresh: (...paths: readonly string[]) => Promise<void>,
  everyMs: number,
): (paths: readonly string[]) => void {
  const pending = new Set<string>();
  let isGathering = false;
  let endedAt = Number.NEGATIVE_INFINITY;

  async function gather(): Promise<void> {
    isGathering = true;
    while (pending.size > 0) {
      await pause(Math.max(0, endedAt + everyMs - performance.now()));
      const paths = [...pending];
      pending.clear();
      await Promise.race([refresh(...paths), pause(MAX_WAIT_MS)]);
      endedAt = performance.now();
    }
    isGathering = false;
  }

  return (paths) => {
    for (const path of paths) pending.add(path);
    if (!isGathering) void gather();
  };
}

// Helpers

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

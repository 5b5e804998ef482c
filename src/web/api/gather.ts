import { queryClient } from './client.ts';

/**
 * Minimum interval between refreshes, so that a busy service does not make the page flicker. The
 * first change after a quiet period is shown immediately.
 */
const GATHER_MS = 400;

const pending = new Set<string>();
let isGathering = false;
let shownAt = Number.NEGATIVE_INFINITY;

/** Invalidates the queries under these keys, once for all changes within the interval. */
export function refreshSoon(...keys: readonly (readonly unknown[])[]): void {
  for (const key of keys) pending.add(JSON.stringify(key));
  if (isGathering || pending.size === 0) return;
  isGathering = true;
  const waitMs = Math.max(0, shownAt + GATHER_MS - performance.now());
  setTimeout(() => {
    isGathering = false;
    shownAt = performance.now();
    for (const key of pending) void queryClient.invalidateQueries({ queryKey: JSON.parse(key) });
    pending.clear();
  }, waitMs);
}

import { queryClient } from './client.ts';

/** Changes are shown this often at most; a busy service must not make the page flicker. The first after a while is shown at once. */
const GATHER_MS = 400;

const pending = new Set<string>();
let isGathering = false;
let shownAt = Number.NEGATIVE_INFINITY;

/** Has what begins with these keys asked for again, once for however many changes come until it is their turn. */
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

import { queryClient } from './client.ts';

/** Changes are gathered for this long before they are shown; a busy service must not make the page flicker. */
const GATHER_MS = 400;

const pending = new Set<string>();
let isGathering = false;

/** Has what begins with these keys asked for again in a moment, once for however many changes come until then. */
export function refreshSoon(...keys: readonly (readonly unknown[])[]): void {
  for (const key of keys) pending.add(JSON.stringify(key));
  if (isGathering || pending.size === 0) return;
  isGathering = true;
  setTimeout(() => {
    isGathering = false;
    for (const key of pending) void queryClient.invalidateQueries({ queryKey: JSON.parse(key) });
    pending.clear();
  }, GATHER_MS);
}

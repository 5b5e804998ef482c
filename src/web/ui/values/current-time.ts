const TICK_MS = 1_000;

let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;
const watchers = new Set<() => void>();

/** Calls `watcher` every second. Returns the function that ends it. */
export function watchTime(watcher: () => void): () => void {
  watchers.add(watcher);
  timer ??= setInterval(tick, TICK_MS);
  return () => {
    watchers.delete(watcher);
    if (watchers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/**
 * The time of the last tick. Without watchers nothing ticks, and it follows the clock in steps of a
 * second: React requires that reading it twice in a row returns the same.
 */
export function currentTime(): number {
  if (timer === undefined && Math.abs(Date.now() - now) >= TICK_MS) now = Date.now();
  return now;
}

// Helpers

function tick(): void {
  now = Date.now();
  for (const watcher of watchers) watcher();
}

/**
 * Starts something once per worker process and returns it to every test file that the worker runs. It hangs on
 * `globalThis`, which outlives a module that watch mode evaluates again. What failed to start, or is no longer alive, is
 * started again.
 */
export async function perWorker<T>(
  name: string,
  start: () => Promise<T>,
  isAlive: (started: T) => boolean = () => true,
): Promise<T> {
  const key = Symbol.for(`quittance.test.${name}`);
  const shared = globalThis as { [key: symbol]: Promise<T> | undefined };
  const known = shared[key];
  // Noted before anything is awaited, so that two who ask at once get the same.
  const answer = known === undefined ? start() : known.then((it) => (isAlive(it) ? it : start()), start);
  shared[key] = answer;
  return answer;
}

/** Runs `end` when the worker process ends. It must be synchronous: nothing is awaited any more by then. */
export function atWorkerEnd(end: () => void): void {
  process.once('exit', end);
  // Vitest ends its workers with SIGTERM, which alone would skip handlers of `exit`.
  const key = Symbol.for('quittance.test.exits on SIGTERM');
  const flags = globalThis as { [key: symbol]: boolean | undefined };
  if (flags[key] === true) return;
  flags[key] = true;
  process.once('SIGTERM', () => process.exit());
}

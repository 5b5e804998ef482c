/**
 * Starts something once per worker process and returns it to every test file of the worker. Stored
 * on `globalThis`, which survives a re-evaluation of the module in watch mode. Starts again when
 * the start failed or the result is no longer alive.
 */
export async function perWorker<T>(
  name: string,
  start: () => Promise<T>,
  isAlive: (started: T) => boolean = () => true,
): Promise<T> {
  const key = Symbol.for(`quittance.test.${name}`);
  const shared = globalThis as { [key: symbol]: Promise<T> | undefined };
  const known = shared[key];
  // Stored before anything is awaited, so that concurrent callers share one start.
  const response = known === undefined ? start() : known.then((it) => (isAlive(it) ? it : start()), start);
  shared[key] = response;
  return response;
}

/**
 * Runs `end` when the worker process exits. It must be synchronous: promises no longer settle then.
 */
export function atWorkerEnd(end: () => void): void {
  process.once('exit', end);
  // Vitest ends its workers with SIGTERM, which by default skips `exit` handlers.
  const key = Symbol.for('quittance.test.exits on SIGTERM');
  const flags = globalThis as { [key: symbol]: boolean | undefined };
  if (flags[key] === true) return;
  flags[key] = true;
  process.once('SIGTERM', () => process.exit());
}

import { setTimeout as sleep } from 'node:timers/promises';

/** Polls mostly go to a service, which does work for every response. */
const POLL_MS = 100;
/** Leaves room for several watcher polls, outbox sweeps and retries. */
const TIMEOUT_MS = 60_000;

/**
 * Polls until the response is not null, and returns it. Throws an error with the text of `whyNot`
 * on timeout.
 */
export async function waitFor<T>(
  ask: () => Promise<T | null>,
  whyNot: () => string,
  timeoutMs = TIMEOUT_MS,
): Promise<T> {
  const giveUpAt = performance.now() + timeoutMs;
  for (;;) {
    const response = await ask();
    if (response !== null) return response;
    if (performance.now() > giveUpAt) throw new Error(whyNot());
    await sleep(POLL_MS);
  }
}

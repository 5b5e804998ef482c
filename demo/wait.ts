import { setTimeout as sleep } from 'node:timers/promises';

/** What is asked is mostly a service, which computes for every answer. */
const POLL_MS = 100;
/** A look of the watcher, an outbox sweep and a retry fit into this many times over. */
const PATIENCE_MS = 30_000;

/** Asks again until the answer is not null, and returns it. Throws what `whyNot` says when patience runs out. */
export async function waitFor<T>(
  ask: () => Promise<T | null>,
  whyNot: () => string,
  patienceMs = PATIENCE_MS,
): Promise<T> {
  const giveUpAt = performance.now() + patienceMs;
  for (;;) {
    const answer = await ask();
    if (answer !== null) return answer;
    if (performance.now() > giveUpAt) throw new Error(whyNot());
    await sleep(POLL_MS);
  }
}

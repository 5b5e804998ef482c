/** Limits concurrency. After a failure it waits for running work and throws the first error. */
export async function inParallel<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const rest = items.values();
  const hand = async () => {
    for (const item of rest) await work(item);
  };
  const ended = await Promise.allSettled(Array.from({ length: Math.min(atOnce, items.length) }, hand));
  for (const each of ended) if (each.status === 'rejected') throw each.reason;
}

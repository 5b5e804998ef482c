/** Resolves when all have settled, or `patienceMs` later; without it, as late as it takes. Never rejects. */
export async function settledWithin(running: Iterable<Promise<unknown>>, patienceMs?: number): Promise<void> {
  const settled = Promise.allSettled(running);
  if (patienceMs === undefined) {
    await settled;
    return;
  }
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, patienceMs);
  });
  await Promise.race([settled, patience]);
  clearTimeout(timer);
}

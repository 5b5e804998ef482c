/** Resolves when all promises have settled, or after `patienceMs` if given. Never rejects. */
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

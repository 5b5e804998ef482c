/** Resolves when all promises have settled, or after `timeoutMs` if given. Never rejects. */
export async function settledWithin(running: Iterable<Promise<unknown>>, timeoutMs?: number): Promise<void> {
  const settled = Promise.allSettled(running);
  if (timeoutMs === undefined) {
    await settled;
    return;
  }
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeoutMs);
  });
  await Promise.race([settled, timeout]);
  clearTimeout(timer);
}

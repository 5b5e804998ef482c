/** The result of work that took too long. */
export const LATE = Symbol('late');

/**
 * Resolves as `work` does, or with `LATE` after `ms` or when `signal` is aborted. The signal that
 * `work` receives is aborted then; work that ignores it goes on, and its result is dropped.
 */
export async function within<T>(
  { ms, signal }: { readonly ms: number; readonly signal?: AbortSignal },
  work: (late: AbortSignal) => Promise<T>,
): Promise<T | typeof LATE> {
  const late = new AbortController();
  let end = () => {};
  const ended = new Promise<typeof LATE>((resolve) => {
    end = () => {
      resolve(LATE);
      late.abort();
    };
  });
  const timer = setTimeout(end, ms);
  // Not `AbortSignal.any`, which Node 20 keeps in memory as long as `signal`.
  signal?.addEventListener('abort', end);
  try {
    return await Promise.race([work(late.signal), ended]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
  }
}

/** Resolves when all promises have settled, or after `ms` if given. Never rejects. */
export async function settledWithin(running: Iterable<Promise<unknown>>, ms?: number): Promise<void> {
  const settled = Promise.allSettled(running);
  await (ms === undefined ? settled : within({ ms }, () => settled));
}

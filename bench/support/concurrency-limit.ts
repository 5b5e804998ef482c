/** Runs at most `limit` pieces of work concurrently; the others wait in order. */
export function createConcurrencyLimit(limit: number) {
  const waiting: (() => void)[] = [];
  let free = limit;
  return {
    async run<T>(work: () => Promise<T>): Promise<T> {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next === undefined) free += 1;
        else next();
      }
    },
  };
}

/**
 * Turns a query for many keys into a function for one. Whatever is asked in the same turn of the event loop shares one query, so a
 * busy server asks once where it would have asked a hundred times; an idle one loses no time. Nothing is kept: an
 * answer is as fresh as a query of its own would be. A failed query fails everybody who shared it.
 */
export function createBatchedLookup<V>(
  find: (keys: readonly string[]) => Promise<ReadonlyMap<string, V>>,
): (key: string) => Promise<V | null> {
  let gathering: Gathering<V> | null = null;

  function gather(): Gathering<V> {
    const keys = new Set<string>();
    const found = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      gathering = null;
      return find([...keys]);
    });
    return { keys, found };
  }

  return async (key) => {
    gathering ??= gather();
    const { keys, found } = gathering;
    keys.add(key);
    return (await found).get(key) ?? null;
  };
}

interface Gathering<V> {
  readonly keys: Set<string>;
  readonly found: Promise<ReadonlyMap<string, V>>;
}

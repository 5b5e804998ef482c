/**
 * Turns a query for many keys into a function for one key. Lookups in the same turn of the event
 * loop share one query; an idle server loses no time. Nothing is cached: a result is as fresh as
 * that of a separate query. When a query fails, all lookups that shared it reject.
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

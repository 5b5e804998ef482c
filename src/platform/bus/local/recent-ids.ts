/** A bounded set of recently seen ids; the oldest is evicted first. */
export interface RecentIds {
  has(id: string): boolean;
  add(id: string): void;
}

/** Creates an empty set that holds at most `maxIds` ids. */
export function createRecentIds(maxIds: number): RecentIds {
  // A Set iterates in insertion order, so its first element is the oldest.
  const ids = new Set<string>();
  return {
    has: (id) => ids.has(id),
    add(id) {
      ids.add(id);
      if (ids.size <= maxIds) return;
      for (const oldest of ids) {
        ids.delete(oldest);
        break;
      }
    },
  };
}

/** Remembers the ids seen last, a bounded number of them; the oldest is forgotten first. */
export interface RecentIds {
  has(id: string): boolean;
  add(id: string): void;
}

/** Makes an empty memory for at most `maxIds` ids. */
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

/**
 * Unexpected errors per message id. The broker only counts deliveries, which include retries that
 * were not errors.
 */
export interface FailureCounts {
  of(id: string): number;
  set(id: string, failures: number): void;
}

/** Creates an empty counter for at most `maxIds` messages; the oldest entry is evicted first. */
export function createFailureCounts(maxIds: number): FailureCounts {
  const counts = new Map<string, number>();
  return {
    of: (id) => counts.get(id) ?? 0,
    set(id, failures) {
      if (failures === 0) {
        counts.delete(id);
        return;
      }
      counts.set(id, failures);
      if (counts.size <= maxIds) return;
      for (const oldest of counts.keys()) {
        counts.delete(oldest);
        break;
      }
    },
  };
}

/** Unknown failures per message id. The broker only counts hand-outs, and those include retries that are no failure. */
export interface FailureCounts {
  of(id: string): number;
  set(id: string, failures: number): void;
}

/** Makes an empty count for at most `maxIds` messages; the one counted first is forgotten first. */
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

/** One clock for service and chain, which moves only when it is advanced or a block is mined. */
export function createChainClock(node: { timeSeconds: number }) {
  const listeners = new Set<() => void>();
  return {
    now: () => node.timeSeconds * 1_000,
    advance(byMs: number) {
      node.timeSeconds += byMs / 1_000;
      for (const listener of listeners) listener();
    },
    onAdvance(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

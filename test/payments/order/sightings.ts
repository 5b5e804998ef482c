import type { Observation } from '../../../src/chains/index.ts';

export interface Sighting {
  readonly at: number;
  readonly order: number;
}

/** Remembers the first accepted observation of every transaction: what its lateness is judged by. */
export function createSightings() {
  const first = new Map<string, Sighting>();
  return {
    record(observations: readonly Observation[]): void {
      for (const { txid, order, firstSeenAt } of observations) {
        const known = first.get(txid ?? '');
        if (known === undefined || order < known.order) first.set(txid ?? '', { at: firstSeenAt, order });
      }
    },
    of: (txid: string): Sighting | undefined => first.get(txid),
  };
}

export type Sightings = ReturnType<typeof createSightings>;

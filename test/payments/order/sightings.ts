import type { Observation } from '../../../src/chains/index.ts';

export interface Sighting {
  readonly at: number;
  readonly order: number;
  /** Some observation named its transaction. */
  readonly isNamed: boolean;
}

/** Remembers the first accepted observation of what each transaction paid to an address: what its lateness is judged by. */
export function createSightings(txidsOf: (observation: Observation) => readonly string[]) {
  const first = new Map<string, Sighting>();
  return {
    record(observations: readonly Observation[]): void {
      for (const observation of observations) {
        const { txid, watchKey, order, firstSeenAt: at } = observation;
        for (const each of txidsOf(observation)) {
          const known = first.get(keyOf(watchKey, each));
          const isNamed = txid !== null || known?.isNamed === true;
          const isFirst = known === undefined || order < known.order;
          first.set(keyOf(watchKey, each), { ...(isFirst ? { at, order } : known), isNamed });
        }
      }
    },
    of: (watchKey: string, txid: string): Sighting | undefined => first.get(keyOf(watchKey, txid)),
  };
}

export type Sightings = ReturnType<typeof createSightings>;

// Helpers

function keyOf(watchKey: string, txid: string): string {
  return `${watchKey} ${txid}`;
}

import type { Account, Observation } from '../../../src/chains/index.ts';

export interface Sighting {
  readonly at: number;
  readonly order: number;
  /** Whether an observation named its transaction. */
  readonly isNamed: boolean;
}

/**
 * Records the first accepted observation of each transaction's payment to an account, which decides
 * whether it is late.
 */
export function createSightings(txidsOf: (observation: Observation) => readonly string[]) {
  const first = new Map<string, Sighting>();
  return {
    record(observations: readonly Observation[]): void {
      for (const observation of observations) {
        const { txid, order, firstSeenAt: at } = observation;
        for (const each of txidsOf(observation)) {
          const key = keyOf(observation, each);
          const known = first.get(key);
          const isNamed = txid !== null || known?.isNamed === true;
          const isFirst = known === undefined || order < known.order;
          first.set(key, { ...(isFirst ? { at, order } : known), isNamed });
        }
      }
    },
    of: (account: Account, txid: string): Sighting | undefined => first.get(keyOf(account, txid)),
  };
}

export type Sightings = ReturnType<typeof createSightings>;

// Helpers

function keyOf({ watchKey, asset }: Account, txid: string): string {
  return `${watchKey} ${asset} ${txid}`;
}

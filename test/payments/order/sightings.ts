import type { Account, Observation } from '../../../src/chains/index.ts';
import type { PlayedChain, PlayedTransaction } from './chain.ts';

export interface Sighting {
  readonly at: number;
  readonly order: number;
  /** Whether an observation named its transaction. */
  readonly isNamed: boolean;
  /** The sum of its outputs that were named; only a balance shows the others. */
  readonly namedBaseUnits: bigint;
}

/**
 * Records the first accepted observation of each transaction's payment to an account, which decides
 * whether it is late.
 */
export function createSightings({ txidsOf, partOf }: Pick<PlayedChain<PlayedTransaction>, 'txidsOf' | 'partOf'>) {
  const first = new Map<string, Sighting>();
  /** By account and transaction: the amounts of its named outputs. */
  const named = new Map<string, Map<string, bigint>>();
  return {
    record(observations: readonly Observation[]): void {
      for (const observation of observations) {
        const { txid, order, amountBaseUnits, firstSeenAt: at } = observation;
        for (const each of txidsOf(observation)) {
          const key = keyOf(observation, each);
          const known = first.get(key);
          const outputs = named.get(key) ?? new Map<string, bigint>();
          named.set(key, txid === null ? outputs : outputs.set(partOf(observation), amountBaseUnits));
          const namedBaseUnits = [...outputs.values()].reduce((sum, amount) => sum + amount, 0n);
          const isFirst = known === undefined || order < known.order;
          first.set(key, { ...(isFirst ? { at, order } : known), isNamed: outputs.size > 0, namedBaseUnits });
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

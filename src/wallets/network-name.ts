import { type RawBuilder, sql } from 'kysely';
import { CHAINS, type Chain } from '../../machines/index.ts';
import { NETWORK_KINDS, type NetworkKind } from '../platform/network-kind.ts';

const SIMULATED = 'simulated-';

/** The name of a chain's network, such as `litecoin-mainnet` or `simulated-litecoin`. */
export function networkName(chain: Chain, kind: NetworkKind | 'simulated'): string {
  return kind === 'simulated' ? `${SIMULATED}${chain}` : `${chain}-${kind}`;
}

/** Parses a network name; kind `regtest` if simulated. Throws a `RangeError` if unknown. */
export function parseNetworkName(network: string): { chain: Chain; kind: NetworkKind; simulated: boolean } {
  for (const chain of CHAINS) {
    if (network === networkName(chain, 'simulated')) return { chain, kind: 'regtest', simulated: true };
    for (const kind of NETWORK_KINDS) {
      if (network === networkName(chain, kind)) return { chain, kind, simulated: false };
    }
  }
  throw new RangeError(`unknown network "${network}"`);
}

/** Whether a network is simulated, without node or wallet. Throws a `RangeError` if unknown. */
export function isSimulated(network: string): boolean {
  return parseNetworkName(network).simulated;
}

/** `isSimulated` in SQL, of a column. */
export function isSimulatedIn(column: string): RawBuilder<boolean> {
  return sql`starts_with(${sql.ref(column)}, ${sql.lit(SIMULATED)})`;
}

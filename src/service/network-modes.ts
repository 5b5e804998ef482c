import type { NodeConfig, NodeMode } from '../platform/config/index.ts';
import { networkName } from '../wallets/index.ts';

/** The mode (live or test) of each connected network, by network name. */
export function networkModesOf(nodes: readonly NodeConfig[]): ReadonlyMap<string, NodeMode> {
  return new Map(nodes.map(({ chain, networkKind, mode }) => [networkName(chain, networkKind), mode]));
}

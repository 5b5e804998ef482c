import type { Config } from '../config/index.ts';
import { createLiveNetworks, type LiveNetworks } from '../payments/index.ts';

/** The real networks this deployment has nodes for. */
export function liveNetworksOf(config: Pick<Config, 'nodes'>): LiveNetworks {
  return createLiveNetworks(Object.fromEntries(config.nodes.map((node) => [node.chain, node.networkKind])));
}

import type { NodeConfig } from '../../platform/config/index.ts';
import { assertNever } from '../../platform/errors.ts';
import type { ChainWatcher, ChainWatcherDeps } from './chain-watcher.ts';
import { createEvmChainWatcher } from './evm-chain-watcher.ts';
import { createUtxoChainWatcher } from './utxo-chain-watcher.ts';

/**
 * Builds the watcher of one network from its node, its state in the database, and the bus. Does not
 * connect yet.
 */
export function createChainWatcher(deps: ChainWatcherDeps, node: NodeConfig): ChainWatcher {
  switch (node.family) {
    case 'utxo':
      return createUtxoChainWatcher(deps, node);
    case 'evm':
      return createEvmChainWatcher(deps, node);
    default:
      return assertNever(node, 'family of chains');
  }
}

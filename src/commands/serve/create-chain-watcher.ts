import type { NodeConfig } from '../../config/index.ts';
import { assertNever } from '../../errors.ts';
import type { ChainWatcher, ChainWatcherDeps } from './chain-watcher.ts';
import { createEvmChainWatcher } from './evm-chain-watcher.ts';
import { createUtxoChainWatcher } from './utxo-chain-watcher.ts';

/** Connects the watcher of one network to its node, its memory in the database, and the bus. Connects nothing yet. */
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

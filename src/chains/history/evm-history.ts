import type { CryptoSymbol } from '../../../machines/index.ts';
import { RetryableError } from '../../platform/errors.ts';
import type { EvmNode } from '../evm/node/evm-node.ts';
import type { AddressHistory } from './port.ts';

/**
 * Address history on EVM chains: an address counts as used if it has sent a transaction, or holds
 * the native coin or a listed token at the head. An address that never sent anything and was
 * emptied by others (a token contract, a delegated account) is not detected.
 *
 * `node` must not be shared with a watcher: `heads()` moves the view that all of a node's queries
 * use, and a watcher's view must not change during a poll.
 */
export function createEvmHistory({
  node,
  assets,
}: {
  readonly node: Pick<EvmNode, 'heads' | 'balances' | 'nonces'>;
  /** The chain's coin and every token listed on this network. */
  readonly assets: readonly CryptoSymbol[];
}): AddressHistory {
  return {
    async usedAmong(addresses, signal) {
      signal?.throwIfAborted();
      if (addresses.length === 0) return new Set();
      const { latest, isSyncing } = await node.heads();
      if (isSyncing) throw new RetryableError('NODE_SYNCING', 'the node is still syncing');
      const head = { height: latest.height, blockHash: latest.hash };
      const watchKeys = addresses.map(({ watchKey }) => watchKey);
      const accounts = watchKeys.flatMap((watchKey) => assets.map((asset) => ({ watchKey, asset })));
      const [balances, nonces] = await Promise.all([node.balances(accounts, head), node.nonces(watchKeys, head)]);
      if (balances === null || nonces === null) {
        throw new RetryableError('STATE_UNAVAILABLE', `the node no longer has balances at block ${latest.height}`);
      }
      signal?.throwIfAborted();
      if (balances.length !== accounts.length || nonces.length !== watchKeys.length) {
        throw new RetryableError('NODE_RESPONSE_UNUSABLE', 'the node did not return a balance for every address');
      }
      const holding = accounts.filter((_, index) => balances[index] !== 0n).map(({ watchKey }) => watchKey);
      const sending = watchKeys.filter((_, index) => nonces[index] !== 0);
      return new Set([...holding, ...sending]);
    },
  };
}

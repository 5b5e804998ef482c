import type { CryptoSymbol } from '../../../../machines/index.ts';
import type { Account, Cursor } from '../../port.ts';
import { UnreadableBalanceError } from '../node/balances.ts';
import type { EvmNode } from '../node/evm-node.ts';

/**
 * Balances as of a block, in the order of the accounts; null when the node has no state of that
 * block. An entry is null for a token whose contract does not respond, so that one broken token
 * does not block all others. Throws `LeftChainError`.
 */
export async function readableBalances<T extends Account>(
  node: EvmNode,
  accounts: readonly T[],
  block: Cursor,
): Promise<(bigint | null)[] | null> {
  const silent = new Set<CryptoSymbol>();
  for (;;) {
    const requested = accounts.filter(({ asset }) => !silent.has(asset));
    if (requested.length === 0) return accounts.map(() => null);
    try {
      const balances = await node.balances(requested, block);
      if (balances === null) return null;
      const found = new Map<T, bigint | null>(requested.map((account, index) => [account, balances[index] ?? null]));
      return accounts.map((account) => found.get(account) ?? null);
    } catch (error) {
      if (!(error instanceof UnreadableBalanceError) || silent.has(error.asset)) throw error;
      silent.add(error.asset);
    }
  }
}

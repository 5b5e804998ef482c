import type { CryptoSymbol } from '../../../../machines/index.ts';
import type { Account, Cursor, OpenAccount, WatcherStore } from '../../port.ts';
import type { EvmMemory } from '../evm-memory.ts';
import { UnreadableBalanceError } from '../node/balances.ts';
import type { EvmNode } from '../node/evm-node.ts';
import { createAccountFlows } from './account-flows.ts';

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

/**
 * The expected balance of an account at the tip in memory, computed from the saved balance and the
 * flows since. Null for tokens and when unknown.
 */
export type FollowedBalances = (account: OpenAccount) => bigint | null;

/**
 * Without a reorganisation this is the saved balance. After one it is the saved balance, minus the
 * flows of saved blocks that were undone, plus the flows of new blocks that are not saved yet. It
 * is unknown when the fork is below all saved blocks, or one of them was saved by a version without
 * flows.
 */
export async function followBalances(
  store: WatcherStore,
  asset: CryptoSymbol,
  { chain, savedHeight, staleAbove }: EvmMemory,
): Promise<FollowedBalances> {
  const savedOf = (account: OpenAccount) => (account.asset === asset ? account.expectedBaseUnits : null);
  if (staleAbove === null) return savedOf;
  const cursor = await store.loadCursor();
  const staleBlocks = (cursor?.height ?? savedHeight) - savedHeight;
  const stale = await store.loadRecentBlocks(staleBlocks);
  if (stale.length < staleBlocks || stale.some(({ flows }) => flows === undefined)) return () => null;
  const moved = createAccountFlows();
  for (const { flows = [] } of stale) for (const flow of flows) moved.add(flow, -flow.baseUnits);
  for (const { flows = [] } of chain.above(savedHeight)) for (const flow of flows) moved.add(flow, flow.baseUnits);
  return (account) => {
    const saved = savedOf(account);
    return saved === null ? null : saved + moved.of(account);
  };
}

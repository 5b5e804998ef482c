import type { CryptoSymbol } from '../../../../machines/index.ts';
import type { OpenAccount, WatcherStore } from '../../port.ts';
import type { EvmMemory } from '../evm-memory.ts';
import { createAccountFlows } from './account-flows.ts';

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

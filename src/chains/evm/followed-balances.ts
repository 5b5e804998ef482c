import type { CryptoSymbol } from '../../../machines/index.ts';
import type { OpenAccount, WatcherStore } from '../port.ts';
import { createAccountFlows } from './account-flows.ts';
import type { EvmMemory } from './evm-memory.ts';

/**
 * What an account should hold of the chain's own coin at the remembered tip, by what was saved and what was seen moving since;
 * null for tokens, and where it is not known.
 */
export type FollowedBalances = (account: OpenAccount) => bigint | null;

/**
 * As a rule that is what was saved with the tip. After a reorganisation it is followed from the saved cursor to the tip: back
 * over the saved blocks that are stale now, and on over those that are remembered and not saved. It is not known where the
 * store does not reach down to where they part.
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
  if (stale.length < staleBlocks) return () => null;
  const moved = createAccountFlows();
  for (const { flows = [] } of stale) for (const flow of flows) moved.add(flow, -flow.baseUnits);
  for (const { flows = [] } of chain.above(savedHeight)) for (const flow of flows) moved.add(flow, flow.baseUnits);
  return (account) => {
    const saved = savedOf(account);
    return saved === null ? null : saved + moved.of(account);
  };
}

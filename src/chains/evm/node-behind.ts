import type { UnixMs } from '../../../machines/index.ts';
import type { EvmChainParams } from './evm-params.ts';
import type { EvmHeads } from './node/evm-node.ts';

/** Why absence on this node proves nothing; null when the node is synced with its network. */
export function reasonBehind(
  { isSyncing, latest }: EvmHeads,
  { staleAfterMs }: EvmChainParams,
  now: UnixMs,
): string | null {
  if (isSyncing) return `the node is still syncing (block ${latest.height})`;
  const ageMs = now - latest.timeSeconds * 1000;
  if (staleAfterMs === null || ageMs <= staleAfterMs) return null;
  return `the newest block of the node (${latest.height}) is ${Math.round(ageMs / 60_000)} minutes old`;
}

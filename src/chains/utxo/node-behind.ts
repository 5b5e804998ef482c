import { HOUR_MS, type UnixMs } from '../../../machines/index.ts';
import type { UtxoChainParams } from './chain-params.ts';
import type { NodeInfo } from './node.ts';

/**
 * Why the node may be behind its network, as a clause; null when there is no sign of it. A node
 * that is behind can prove a payment but not its absence: no output is declared gone and
 * `syncedUntil` stays.
 */
export function reasonBehind(
  info: NodeInfo,
  peers: number | null,
  params: Pick<UtxoChainParams, 'staleAfterMs'>,
  now: UnixMs,
): string | null {
  const progress = `block ${info.tipHeight} of ${info.headerHeight}`;
  if (info.inInitialDownload) return `the node is still syncing (${progress})`;
  if (params.staleAfterMs === null) return null;
  if (peers === 0) return `the node has no peers, so it receives no new blocks (its newest is ${info.tipHeight})`;
  if (info.headerHeight > info.tipHeight + 1) return `the node is still syncing (${progress})`;
  const ageMs = now - info.medianTimeMs;
  if (ageMs <= params.staleAfterMs) return null;
  return `the node's newest blocks are ${(ageMs / HOUR_MS).toFixed(1)} hours old (${progress}), too old to be the newest`;
}

/**
 * The reason once the mempool was read: payments missing because the node is reloading it are not
 * gone. `isLoaded` is null where the node does not say.
 */
export function reasonBehindWithMempool(chainBehind: string | null, isLoaded: boolean | null): string | null {
  return chainBehind ?? (isLoaded === false ? 'the node has started and is still loading its mempool' : null);
}

import type { UnixMs } from '../../../machines/index.ts';
import { systemClock } from '../../platform/clock.ts';
import { utxoChain } from './chain-params.ts';
import { isMempoolLoaded } from './mempool-loaded.ts';
import { createUtxoNode } from './node.ts';
import { reasonBehind, reasonBehindWithMempool } from './node-behind.ts';
import { clockErrorOf, warningsAbout } from './node-health.ts';
import { requireNetwork } from './require-network.ts';
import { createBitcoindRpc, type UtxoRpc } from './rpc.ts';

/** The state a Bitcoin-like node reports. */
export interface InspectedNode {
  readonly height: number;
  /** Why the node may be behind its network; null when there is no sign of it. */
  readonly behind: string | null;
  /** Sentences for the operator about problems that do not stop polling. */
  readonly warnings: readonly string[];
  /** Whether it has a transaction index (`txindex`); null when it does not report that. */
  readonly hasTransactionIndex: boolean | null;
  /** How far its peers' clocks are ahead of its own, in seconds; null when not reported. */
  readonly clockOffsetSeconds: number | null;
  /** ZeroMQ topics it publishes, such as `hashblock`; null when not reported. */
  readonly published: readonly string[] | null;
}

const TIMEOUT_MS = 8_000;

/**
 * Runs the watcher's checks of a node and a few more. Rejects as the watcher would: when the node
 * does not respond, rejects the credentials or is on another network.
 */
export async function inspectUtxoNode({
  url,
  network,
  now,
}: {
  readonly url: string;
  readonly network: string;
  readonly now: UnixMs;
}): Promise<InspectedNode> {
  const params = utxoChain(network);
  const rpc = createBitcoindRpc({ url, timeoutMs: TIMEOUT_MS });
  try {
    const node = createUtxoNode(rpc, params.format);
    await requireNetwork(node, params);
    const info = await node.info();
    const chainBehind = reasonBehind(info, await node.peers(), params, now);
    const isLoaded = await ask(rpc, 'getmempoolinfo', isMempoolLoaded);
    const behind = reasonBehindWithMempool(chainBehind, isLoaded);
    return {
      height: info.tipHeight,
      behind,
      warnings: warningsAbout(info, null, await clockErrorOf(node, systemClock)),
      hasTransactionIndex: await ask(rpc, 'getindexinfo', (response) => fieldOf(response, 'txindex') !== undefined),
      clockOffsetSeconds: await ask(rpc, 'getnetworkinfo', (response) => asNumber(fieldOf(response, 'timeoffset'))),
      published: await ask(rpc, 'getzmqnotifications', publishedIn),
    };
  } finally {
    await rpc.close();
  }
}

// Helpers

/** Null when the call fails: not every node has the method or allows it. */
async function ask<T>(rpc: UtxoRpc, method: string, read: (response: unknown) => T): Promise<T | null> {
  try {
    return read(await rpc.call(method));
  } catch {
    return null;
  }
}

function fieldOf(response: unknown, name: string): unknown {
  return typeof response === 'object' && response !== null ? (response as Record<string, unknown>)[name] : undefined;
}

function asNumber(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

function publishedIn(response: unknown): string[] | null {
  if (!Array.isArray(response)) return null;
  return response.map((each) => String(fieldOf(each, 'type')).replace(/^pub/, ''));
}

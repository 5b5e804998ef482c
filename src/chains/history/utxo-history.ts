import { RetryableError, TerminalError } from '../../errors.ts';
import { createMutex } from '../mutex.ts';
import type { UtxoRpc } from '../utxo/rpc.ts';
import { RPC_CODES, RpcError } from '../utxo/rpc-error.ts';
import type { AddressHistory } from './port.ts';

/** A scan reads every unspent output there is, minutes on a main network: give the connection this much time. */
export const SCAN_TIMEOUT_MS = 30 * 60_000;
const SCAN_BUSY_RETRY_MS = 60_000;
/** RPC_METHOD_NOT_FOUND of JSON-RPC. */
const METHOD_NOT_FOUND = -32_601;

/**
 * History on chains of the Bitcoin family by `scantxoutset`, one scan for all addresses asked about. It finds coins that
 * are still there. An address whose coins were all spent is not found: no node knows those without an address index. Bitcoin
 * Core, Litecoin Core 0.21 and Dash Core have it; Dogecoin Core 1.14 has not, and so cannot tell.
 *
 * `rpc` should be a connection of its own with `SCAN_TIMEOUT_MS`, because everything else is answered within seconds.
 */
export function createUtxoHistory({ rpc }: { readonly rpc: Pick<UtxoRpc, 'call'> }): AddressHistory {
  const oneAtATime = createMutex();
  let cannotTell = false;

  async function scan(
    scripts: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<ReadonlySet<string> | null> {
    signal?.throwIfAborted();
    if (cannotTell) return null;
    await refuseWhileSyncing();
    signal?.throwIfAborted();
    // Telling the node to give up makes it answer at once; the answer then says that it is not complete.
    const giveUp = () => void rpc.call('scantxoutset', ['abort']).catch(() => undefined);
    signal?.addEventListener('abort', giveUp, { once: true });
    try {
      const descriptors = scripts.map((script) => ({ desc: `raw(${script})` }));
      return scriptsIn(await rpc.call('scantxoutset', ['start', descriptors]));
    } catch (error) {
      if (!isUnknownMethod(error)) throw explained(error);
      cannotTell = true;
      return null;
    } finally {
      signal?.removeEventListener('abort', giveUp);
    }
  }

  /** A node that has not read the whole chain calls used addresses unused. */
  async function refuseWhileSyncing(): Promise<void> {
    const info = await rpc.call('getblockchaininfo');
    if (!isRecord(info)) throw unusable('getblockchaininfo');
    const { initialblockdownload, headers, blocks } = info;
    const isSyncing = initialblockdownload === true || Number(headers) > Number(blocks) + 1;
    if (isSyncing) throw new RetryableError('NODE_SYNCING', 'the node is still catching up with its network');
  }

  return {
    usedAmong: async (addresses, signal) => {
      const scripts = addresses.map(({ watchKey }) => watchKey);
      if (scripts.length === 0) return new Set();
      return oneAtATime(() => scan(scripts, signal));
    },
  };
}

// Helpers

function scriptsIn(result: unknown): ReadonlySet<string> {
  if (!isRecord(result) || !Array.isArray(result.unspents)) throw unusable('scantxoutset');
  if (result.success !== true) throw new RetryableError('SCAN_ABORTED', 'the scan was aborted before its end');
  return new Set(
    result.unspents.map((unspent: unknown) => {
      if (!isRecord(unspent) || typeof unspent.scriptPubKey !== 'string') throw unusable('scantxoutset');
      return unspent.scriptPubKey;
    }),
  );
}

/** A node without the method, or one whose `rpcwhitelist` leaves it out: the latter answers like wrong credentials. */
function isUnknownMethod(error: unknown): boolean {
  if (error instanceof RpcError) return error.code === METHOD_NOT_FOUND;
  return error instanceof TerminalError && error.code === 'NODE_REFUSED_CREDENTIALS';
}

function explained(error: unknown): unknown {
  const isBusy =
    error instanceof RpcError && error.code === RPC_CODES.invalidParameter && /in progress/i.test(error.message);
  if (!isBusy) return error;
  return new RetryableError('SCAN_IN_PROGRESS', 'the node is busy with another scan of its unspent outputs', {
    retryAfterMs: SCAN_BUSY_RETRY_MS,
    cause: error,
  });
}

function unusable(method: string): RetryableError {
  return new RetryableError('NODE_ANSWER_UNUSABLE', `the node's answer to ${method} has an unexpected shape`);
}

function isRecord(value: unknown): value is { readonly [field: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

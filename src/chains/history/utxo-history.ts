import { RetryableError, TerminalError } from '../../platform/errors.ts';
import { isRecord } from '../../platform/is-record.ts';
import { createMutex } from '../../platform/mutex.ts';
import { RpcError } from '../rpc/rpc-call.ts';
import type { UtxoRpc } from '../utxo/rpc.ts';
import { RPC_CODES } from '../utxo/rpc.ts';
import type { AddressHistory } from './port.ts';

/** Timeout for the scan's connection: a scan of the UTXO set takes minutes on mainnet. */
export const SCAN_TIMEOUT_MS = 30 * 60_000;
const SCAN_BUSY_RETRY_MS = 60_000;
/** JSON-RPC error RPC_METHOD_NOT_FOUND. */
const METHOD_NOT_FOUND = -32_601;

/**
 * Address history on Bitcoin-like chains through `scantxoutset`, one scan for all addresses. It
 * finds unspent coins only: an address whose coins were all spent is not detected, because that
 * would need an address index. Bitcoin Core, Litecoin Core 0.21 and Dash Core have the method;
 * Dogecoin Core 1.14 does not, so it cannot tell.
 *
 * Give `rpc` a separate connection with `SCAN_TIMEOUT_MS`: all other calls return within seconds.
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
    await rejectWhileSyncing();
    signal?.throwIfAborted();
    // After `abort` the scan returns immediately, with `success` false.
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

  /** A node that is still syncing would report used addresses as unused. */
  async function rejectWhileSyncing(): Promise<void> {
    const info = await rpc.call('getblockchaininfo');
    if (!isRecord(info)) throw unusable('getblockchaininfo');
    const { initialblockdownload, headers, blocks } = info;
    const isSyncing = initialblockdownload === true || Number(headers) > Number(blocks) + 1;
    if (isSyncing) throw new RetryableError('NODE_SYNCING', 'the node is still syncing');
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
  if (result.success !== true) throw new RetryableError('SCAN_ABORTED', 'the scan was aborted');
  return new Set(
    result.unspents.map((unspent: unknown) => {
      if (!isRecord(unspent) || typeof unspent.scriptPubKey !== 'string') throw unusable('scantxoutset');
      return unspent.scriptPubKey;
    }),
  );
}

/** The node lacks the method, or its `rpcwhitelist` excludes it (reported as bad credentials). */
function isUnknownMethod(error: unknown): boolean {
  if (error instanceof RpcError) return error.code === METHOD_NOT_FOUND;
  return error instanceof TerminalError && error.code === 'NODE_REFUSED_CREDENTIALS';
}

function explained(error: unknown): unknown {
  const isBusy =
    error instanceof RpcError && error.code === RPC_CODES.invalidParameter && /in progress/i.test(error.message);
  if (!isBusy) return error;
  return new RetryableError('SCAN_IN_PROGRESS', 'the node is running another UTXO scan', {
    retryAfterMs: SCAN_BUSY_RETRY_MS,
    cause: error,
  });
}

function unusable(method: string): RetryableError {
  return new RetryableError('NODE_RESPONSE_UNUSABLE', `the node's response to ${method} has an unexpected shape`);
}

import { MINUTE_MS, SECOND_MS, type UnixMs } from '../../../../machines/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import { messageOf } from '../../../platform/errors.ts';
import type { EvmNode } from './evm-node.ts';

/**
 * Traces that may fail. A trace names the transaction behind coins known by their balance; no
 * amount and no status depends on it, and it is the most expensive query. So a failed trace counts
 * as no trace: nothing waits for it, tracing pauses, and the trace is requested again later.
 */
export interface RetriedTraces {
  /** Also null when tracing fails or is paused after a failure. Never throws. */
  readonly internalTransfers: EvmNode['internalTransfers'];
  /** Whether the trace of a block failed or was postponed, without a success since. */
  isPending(height: number): boolean;
  /** A sentence for operators on what to fix; null while tracing works or is not supported. */
  warning(): string | null;
}

const FIRST_PAUSE_MS = 30 * SECOND_MS;
const MAX_PAUSE_MS = 10 * MINUTE_MS;
/** Maximum number of traces to retry; older blocks stay without txids. */
const MAX_PENDING = 1_000;

export function createRetriedTraces(node: Pick<EvmNode, 'internalTransfers'>, clock: Clock): RetriedTraces {
  const pending = new Set<number>();
  let failure: { readonly reason: string; readonly until: UnixMs; readonly pauseMs: number } | null = null;

  function postpone(height: number): null {
    pending.add(height);
    for (const oldest of pending) {
      if (pending.size <= MAX_PENDING) break;
      pending.delete(oldest);
    }
    return null;
  }

  return {
    async internalTransfers(addresses, block) {
      const { height } = block;
      if (failure !== null && clock.now() < failure.until) return postpone(height);
      try {
        const found = await node.internalTransfers(addresses, block);
        failure = null;
        pending.delete(height);
        return found;
      } catch (error) {
        const pauseMs = Math.min(MAX_PAUSE_MS, failure === null ? FIRST_PAUSE_MS : 2 * failure.pauseMs);
        failure = { reason: messageOf(error), until: clock.now() + pauseMs, pauseMs };
        return postpone(height);
      }
    },
    isPending: (height) => pending.has(height),
    warning: () =>
      failure === null
        ? null
        : `The node fails to trace (${failure.reason}): coins that contracts send are counted, but without a ` +
          'transaction id until it works again. Amounts are not affected.',
  };
}

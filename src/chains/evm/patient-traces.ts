import { MINUTE_MS, SECOND_MS, type UnixMs } from '../../../machines/index.ts';
import type { Clock } from '../../clock.ts';
import { messageOf } from '../../errors.ts';
import type { EvmNode } from './evm-node.ts';

/**
 * Traces that may fail. A trace names the transaction behind coins that are known by their balance; no amount and no
 * standing depends on it, and it is the costliest of all questions. So whatever goes wrong with one is as if the node did
 * not trace: nothing waits for it, it is left alone for a while, and what it would have named is asked for again later.
 */
export interface PatientTraces {
  /** Null also when tracing fails, or has failed a short while ago. Never throws. */
  readonly ask: EvmNode['internalTransfers'];
  /** Whether the trace of a block failed or was put off, and none has succeeded since. */
  isOwed(height: number): boolean;
  /** What an operator should mend, in a sentence; null while tracing works or the node does not trace at all. */
  warning(): string | null;
}

const FIRST_PAUSE_MS = 30 * SECOND_MS;
const LONGEST_PAUSE_MS = 10 * MINUTE_MS;
/** Blocks whose traces are owed; what is older stays without its transaction. */
const OWED_BLOCKS = 1_000;

export function createPatientTraces(node: Pick<EvmNode, 'internalTransfers'>, clock: Clock): PatientTraces {
  const owed = new Set<number>();
  let failure: { readonly reason: string; readonly until: UnixMs; readonly pauseMs: number } | null = null;

  function owe(height: number): null {
    owed.add(height);
    for (const oldest of owed) {
      if (owed.size <= OWED_BLOCKS) break;
      owed.delete(oldest);
    }
    return null;
  }

  return {
    async ask(addresses, height) {
      if (failure !== null && clock.now() < failure.until) return owe(height);
      try {
        const found = await node.internalTransfers(addresses, height);
        failure = null;
        owed.delete(height);
        return found;
      } catch (error) {
        const pauseMs = Math.min(LONGEST_PAUSE_MS, failure === null ? FIRST_PAUSE_MS : 2 * failure.pauseMs);
        failure = { reason: messageOf(error), until: clock.now() + pauseMs, pauseMs };
        return owe(height);
      }
    },
    isOwed: (height) => owed.has(height),
    warning: () =>
      failure === null
        ? null
        : `The node fails to trace (${failure.reason}): coins that contracts send are counted, but without the id of ` +
          'their transaction until it does. No amount depends on it.',
  };
}

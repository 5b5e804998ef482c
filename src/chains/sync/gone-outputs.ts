import type { GoneReason } from '../../../machines/index.ts';
import type { TrackedOutput } from '../port.ts';
import type { WatcherMemory } from './memory.ts';
import type { Finding } from './reporter.ts';

/** Outputs that left the mempool or their block: replaced, reorganised away or evicted. */

/**
 * Unsettled outputs in neither a block nor the mempool. Valid only if blocks were scanned up to the
 * tip and `present` was listed at that same tip. `conflicting` returns the transactions whose
 * inputs another mempool transaction spends.
 */
export function findingsGone(
  memory: WatcherMemory,
  present: readonly TrackedOutput[],
  conflicting: (outputs: readonly TrackedOutput[]) => Set<string>,
): Finding[] {
  const presentIds = new Set(present.map((output) => output.outputId));
  const gone = [...memory.unsettled.values()].filter(
    ({ output }) => !presentIds.has(output.outputId) && memory.chain.find(output.outputId) === null,
  );
  const replaced = conflicting(gone.map(({ output }) => output));
  return gone.map(({ output, wasReorged }) => {
    const { txid } = output;
    const wasSpent = txid !== null && isDoubleSpent(memory, txid, replaced);
    const reason: GoneReason = wasSpent ? 'replaced' : wasReorged ? 'reorged' : 'evicted';
    return { output, status: { kind: 'gone', reason } };
  });
}

/**
 * Whether another transaction, in a block or one of `conflicting` in the mempool, spends the coins
 * of this one: a double spend, or a replacement by fee (BIP 125).
 */
export function isDoubleSpent(
  { conflictedTxids }: Pick<WatcherMemory, 'conflictedTxids'>,
  txid: string,
  conflicting: ReadonlySet<string>,
): boolean {
  return conflicting.has(txid) || conflictedTxids.has(txid);
}

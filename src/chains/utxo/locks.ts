import type { WatcherMemory } from '../sync/memory.ts';
import type { Finding } from '../sync/reporter.ts';
import { txidOf } from './find-watched-outputs.ts';
import type { UtxoNode } from './node.ts';

/** Newest blocks that are checked for locks; deeper ones are confirmed by their depth. */
export const LOCK_DEPTH_BLOCKS = 24;
/** Maximum number of transactions checked in one poll, newest first. */
export const LOCK_QUESTIONS = 100;

/**
 * Marks outputs in a ChainLocked block (DIP 8) as `confirmed`, however new the block is: a
 * ChainLock rules out every other block at its height. By `byLock`, payments that require depth can
 * recognise this case.
 */
export async function confirmLocked(
  node: UtxoNode,
  memory: WatcherMemory,
  findings: readonly Finding[],
): Promise<Finding[]> {
  const waiting = unconfirmedInBlocks(memory);
  if (waiting.length === 0) return [...findings];
  const byTxid = new Map(waiting.map(({ txid, blockHash }) => [txid, { txid, blockHash }]));
  const requested = [...byTxid.values()].slice(0, LOCK_QUESTIONS);
  const responses = await node.lockedInBlock(requested);
  const locked = new Set(requested.filter((_, index) => responses[index]).map(({ txid }) => txid));

  const confirmed = new Map(
    waiting.filter(({ txid }) => locked.has(txid)).map(({ finding }) => [finding.output.outputId, finding]),
  );
  const updated = findings.map((finding) => {
    const better = confirmed.get(finding.output.outputId);
    confirmed.delete(finding.output.outputId);
    return better ?? finding;
  });
  return [...confirmed.values(), ...updated];
}

// Helpers

/** Outputs in the newest blocks not yet reported as confirmed there, as findings; newest first. */
function unconfirmedInBlocks(memory: WatcherMemory) {
  const tipHeight = memory.chain.tip()?.height ?? 0;
  return memory.chain
    .above(tipHeight - LOCK_DEPTH_BLOCKS)
    .reverse()
    .flatMap(({ height, blockHash, outputs }) =>
      outputs
        .filter(({ outputId }) => {
          const last = memory.reported.get(outputId);
          return last?.kind !== 'confirmed' || last.blockHash !== blockHash;
        })
        .map((output) => {
          const finding: Finding = { output, status: { kind: 'confirmed', height, blockHash, byLock: true } };
          return { txid: txidOf(output), blockHash, finding };
        }),
    );
}

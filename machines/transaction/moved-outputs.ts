import type { ChainOrder, OutputRecord } from './context.ts';

/**
 * Marks outputs moved by a reorganisation. On Ethereum an output's id contains its position (log
 * index, block of a balance), so a transaction that is mined again has new ids, reported before the
 * old ones are dropped. A transaction is in one block of the best chain: each of its outputs in the
 * newest block replaces one of the same amount in another block or in the mempool. One for one,
 * because the outputs of a block are reported one by one.
 *
 * Not for chains with stable ids: there two equal outputs of one transaction would briefly replace
 * each other.
 */
export function supersedeMoved(outputs: readonly OutputRecord[]): readonly OutputRecord[] {
  const byTransaction = groupBy(outputs, ({ txid }) => txid);
  const moved = new Set([...byTransaction.values()].flatMap(movedOf));
  return moved.size === 0
    ? outputs
    : outputs.map((output) => (moved.has(output) ? { ...output, superseded: true as const } : output));
}

/** Marks outputs that have a newer report which was not processed yet; see `Outdated`. */
export function supersedeOutdated(outputs: readonly OutputRecord[]): readonly OutputRecord[] {
  const all = outputs.flatMap(({ outdates }) => (outdates === undefined ? [] : [outdates]));
  if (all.length === 0) return outputs;
  const before = new Map<string, ChainOrder>();
  for (const outdates of all) {
    for (const [outputId, order] of Object.entries(outdates)) {
      before.set(outputId, Math.max(order, before.get(outputId) ?? 0));
    }
  }
  const isOutdated = ({ presence, outputId, order }: OutputRecord) =>
    presence !== 'gone' && order < (before.get(outputId) ?? 0);
  return outputs.map((output) => (isOutdated(output) ? { ...output, superseded: true as const } : output));
}

// Helpers

/** Of the outputs of one transaction, those that an output in its newest block replaces. */
function movedOf(ofOne: readonly OutputRecord[]): OutputRecord[] {
  const [newest] = ofOne.filter(({ presence }) => presence === 'block').sort(byNewest);
  if (newest === undefined) return [];
  const isInNewest = ({ presence, blockHash }: OutputRecord) => presence === 'block' && blockHash === newest.blockHash;
  const elsewhere = ofOne.filter(({ presence, blockHash }) => presence !== 'gone' && blockHash !== newest.blockHash);
  if (elsewhere.length === 0) return [];
  const newer = groupBy(ofOne.filter(isInNewest), ({ amountBaseUnits }) => amountBaseUnits);
  const older = groupBy(elsewhere.sort(byNewest), ({ amountBaseUnits }) => amountBaseUnits);
  return [...older].flatMap(([amount, outputs]) => outputs.slice(0, newer.get(amount)?.length ?? 0));
}

/** Outputs without a key are left out. */
function groupBy(outputs: readonly OutputRecord[], keyOf: (output: OutputRecord) => string | null) {
  const groups = new Map<string, OutputRecord[]>();
  for (const output of outputs) {
    const key = keyOf(output);
    if (key === null) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [output]);
    else group.push(output);
  }
  return groups;
}

function byNewest(one: OutputRecord, other: OutputRecord): number {
  return other.order - one.order;
}

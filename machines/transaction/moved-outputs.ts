import type { OutputRecord } from './context.ts';

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
  const moved = new Set<OutputRecord>();
  for (const newer of outputs.filter((output) => isInNewestBlock(output, outputs)).sort(byNewest)) {
    const stoodFor = outputs
      .filter((older) => isSameTransfer(older, newer) && older.blockHash !== newer.blockHash && !moved.has(older))
      .sort(byNewest);
    if (stoodFor[0] !== undefined) moved.add(stoodFor[0]);
  }
  return moved.size === 0
    ? outputs
    : outputs.map((output) => (moved.has(output) ? { ...output, superseded: true as const } : output));
}

/** Marks outputs that have a newer report which was not processed yet; see `Outdated`. */
export function supersedeOutdated(outputs: readonly OutputRecord[]): readonly OutputRecord[] {
  const all = outputs.flatMap(({ outdates }) => (outdates === undefined ? [] : [outdates]));
  if (all.length === 0) return outputs;
  const isOutdated = ({ presence, outputId, order }: OutputRecord) =>
    presence !== 'gone' && all.some((outdates) => order < (outdates[outputId] ?? 0));
  return outputs.map((output) => (isOutdated(output) ? { ...output, superseded: true as const } : output));
}

// Helpers

function isInNewestBlock(output: OutputRecord, outputs: readonly OutputRecord[]): boolean {
  const { txid, blockHash } = output;
  if (txid === null || output.presence !== 'block') return false;
  const [newest] = outputs.filter((other) => other.txid === txid && other.presence === 'block').sort(byNewest);
  return newest?.blockHash === blockHash;
}

function isSameTransfer(one: OutputRecord, other: OutputRecord): boolean {
  return one.presence !== 'gone' && one.txid === other.txid && one.amountBaseUnits === other.amountBaseUnits;
}

function byNewest(one: OutputRecord, other: OutputRecord): number {
  return other.order - one.order;
}

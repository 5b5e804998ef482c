import type { CryptoSymbol, UnixMs } from '../../../machines/index.ts';
import type { ScannedBlock, TrackedOutput } from '../port.ts';
import type { WatcherMemory } from '../sync/memory.ts';
import { createWatchedScripts } from '../watched-scripts.ts';
import type { RawBlock } from './raw-block.ts';
import { hexOf } from './raw-reader.ts';
import type { RawOutput, RawTransaction, ScriptTest } from './raw-transaction.ts';

/** The watched keys. With `hasBytes`, matching a block creates no string per script. */
export interface WatchedKeys {
  has(watchKey: string): boolean;
  readonly hasBytes?: ScriptTest;
}

/** Finds watched outputs in transactions: two hash lookups per output, for any number of keys. */
export interface Scanner {
  match(transaction: RawTransaction): RawMatch[];
  /** Scans a block and records which unsettled transactions it conflicts with (same inputs). */
  scanBlock(raw: RawBlock, height: number, blockHash: string, now: UnixMs): ScannedBlock;
}

export interface RawMatch {
  readonly outputId: string;
  readonly watchKey: string;
  readonly asset: CryptoSymbol;
  readonly amountBaseUnits: bigint;
}

/** A scanner for the current watch set and memory; create a new one after either changes. */
export function createScanner(memory: WatcherMemory, asset: CryptoSymbol, watched: WatchedKeys): Scanner {
  const followedKeys = createWatchedScripts();
  const unsettled = [...memory.unsettled.values()].map(({ output }) => output);
  for (const { watchKey } of unsettled) followedKeys.add(watchKey);
  const spenders = spendersOf(unsettled);

  const isOurs: ScriptTest = (data, start, end) => {
    if (followedKeys.size > 0 && followedKeys.hasBytes(data, start, end)) return true;
    if (watched.hasBytes !== undefined) return watched.hasBytes(data, start, end);
    return watched.has(hexOf(data, start, end));
  };

  function toMatch({ txid }: RawTransaction, output: RawOutput): RawMatch {
    const { vout, scriptHex, valueBaseUnits } = output;
    return { outputId: `${txid}:${vout}`, watchKey: scriptHex, asset, amountBaseUnits: valueBaseUnits };
  }

  return {
    match(transaction) {
      const ours = transaction.outputs.filter(({ scriptHex }) => followedKeys.has(scriptHex) || watched.has(scriptHex));
      return ours.map((output) => toMatch(transaction, output));
    },
    scanBlock(raw, height, blockHash, now) {
      // Block times may be up to two hours ahead, but the first-seen time cannot be in the future.
      const seenAt = Math.min(raw.timeSeconds * 1000, now);
      if (spenders.size > 0) {
        for (const transaction of raw.transactions) addConflicts(transaction, spenders, memory.conflictedTxids);
      }
      const outputs = raw.paying(isOurs).flatMap(({ transaction, outputs: ours }) =>
        ours.map((output) => {
          const found = toMatch(transaction, output);
          // An output seen before this block keeps its first-seen time.
          const known = memory.unsettled.get(found.outputId) ?? memory.chain.find(found.outputId);
          return toTracked(transaction, found, known?.output.firstSeenAt ?? seenAt);
        }),
      );
      return { height, blockHash, outputs };
    },
  };
}

export function toTracked(transaction: RawTransaction, found: RawMatch, firstSeenAt: UnixMs): TrackedOutput {
  const { outputId, watchKey, asset, amountBaseUnits } = found;
  const { txid, spends } = transaction;
  return { outputId, txid, watchKey, asset, amountBaseUnits, firstSeenAt, spends };
}

/** The txid of an output: the first part of its outpoint. */
export function txidOf({ outputId }: { readonly outputId: string }): string {
  return outputId.slice(0, outputId.indexOf(':'));
}

/** The txids of these outputs by the outpoints they spend; several may spend the same outpoint. */
export function spendersOf(outputs: readonly TrackedOutput[]): Map<string, Set<string>> {
  const spenders = new Map<string, Set<string>>();
  for (const output of outputs) {
    for (const outpoint of output.spends) {
      const owners = spenders.get(outpoint);
      if (owners === undefined) spenders.set(outpoint, new Set([txidOf(output)]));
      else owners.add(txidOf(output));
    }
  }
  return spenders;
}

// Helpers

/** Adds to `conflicted` every txid in `spenders` that shares an outpoint with `transaction`. */
function addConflicts(
  transaction: RawTransaction,
  spenders: ReadonlyMap<string, ReadonlySet<string>>,
  conflicted: Set<string>,
): void {
  for (const outpoint of transaction.spends) {
    for (const txid of spenders.get(outpoint) ?? []) if (txid !== transaction.txid) conflicted.add(txid);
  }
}

import type { CryptoSymbol, UnixMs } from '../../../machines/index.ts';
import type { WatcherMemory } from '../following/memory.ts';
import type { ScannedBlock, TrackedOutput } from '../port.ts';
import type { RawBlock } from './raw-block.ts';
import type { RawTransaction } from './raw-transaction.ts';

/** Finds watched outputs in transactions; two hash look-ups per output, however many addresses are open. */
export interface Scanner {
  /** Watched outputs of a transaction. */
  match(transaction: RawTransaction): RawMatch[];
  /** Scans a block and notes which unsettled transactions it rules out by spending the same coins. */
  scanBlock(raw: RawBlock, height: number, blockHash: string, now: UnixMs): ScannedBlock;
}

export interface RawMatch {
  readonly outputId: string;
  readonly watchKey: string;
  readonly asset: CryptoSymbol;
  readonly amountBaseUnits: bigint;
}

/** A scanner for the watch set and memory as they are now; make a new one after either changed. */
export function createScanner(
  memory: WatcherMemory,
  asset: CryptoSymbol,
  isWatched: (watchKey: string) => boolean,
): Scanner {
  const followedKeys = new Set<string>();
  const spenders = new Map<string, Set<string>>();
  for (const { output } of memory.unsettled.values()) {
    followedKeys.add(output.watchKey);
    for (const outpoint of output.spends) {
      spenders.set(outpoint, (spenders.get(outpoint) ?? new Set()).add(txidOf(output)));
    }
  }

  function match(transaction: RawTransaction): RawMatch[] {
    const matches: RawMatch[] = [];
    for (const output of transaction.outputs) {
      if (!followedKeys.has(output.scriptHex) && !isWatched(output.scriptHex)) continue;
      matches.push({
        outputId: `${transaction.txid}:${output.vout}`,
        watchKey: output.scriptHex,
        asset,
        amountBaseUnits: output.valueBaseUnits,
      });
    }
    return matches;
  }

  return {
    match,
    scanBlock(raw, height, blockHash, now) {
      // Miners may date a block up to two hours ahead; coins seen now were not seen later than now.
      const seenAt = Math.min(raw.timeSeconds * 1000, now);
      const outputs: TrackedOutput[] = [];
      for (const transaction of raw.transactions) {
        noteConflicts(transaction, spenders, memory.conflictedTxids);
        for (const found of match(transaction)) {
          const earlier = memory.unsettled.get(found.outputId)?.output.firstSeenAt ?? seenAt;
          outputs.push(toTracked(transaction, found, Math.min(earlier, seenAt)));
        }
      }
      return { height, blockHash, outputs };
    },
  };
}

export function toTracked(transaction: RawTransaction, found: RawMatch, firstSeenAt: UnixMs): TrackedOutput {
  return { ...found, txid: transaction.txid, firstSeenAt, spends: transaction.spends };
}

/** The transaction an output belongs to: the first part of its outpoint. */
export function txidOf({ outputId }: { readonly outputId: string }): string {
  return outputId.slice(0, outputId.indexOf(':'));
}

function noteConflicts(
  transaction: RawTransaction,
  spenders: ReadonlyMap<string, ReadonlySet<string>>,
  conflicted: Set<string>,
): void {
  if (spenders.size === 0) return;
  for (const outpoint of transaction.spends) {
    for (const txid of spenders.get(outpoint) ?? []) if (txid !== transaction.txid) conflicted.add(txid);
  }
}

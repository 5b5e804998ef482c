import type { CryptoSymbol } from '../../../machines/index.ts';
import type { Clock } from '../../clock.ts';
import type { WatcherMemory } from '../following/memory.ts';
import type { TrackedOutput } from '../port.ts';
import type { UtxoNode } from './node.ts';
import type { RawTransaction } from './raw-transaction.ts';
import { createScanner, noteConflicts, type RawMatch, toTracked, txidOf, type WatchedKeys } from './scan.ts';

/**
 * The node's mempool, read by difference: only transactions that were not listed before are fetched. Every listed
 * transaction is kept (inputs and output scripts, some 300 bytes), because an address may become watched after its
 * payment was fetched; each look matches all of them again, which is two hash look-ups per output.
 */
export interface MempoolMirror {
  /**
   * Reads the listing and fetches what is new. `complete` is false when something listed could not be fetched any
   * more: it left the mempool meanwhile, probably into a block.
   */
  refresh(): Promise<{ readonly bestBlockHash: string; readonly complete: boolean }>;
  /** Watched outputs in the mirrored mempool, with the time the node first had them. */
  matches(memory: WatcherMemory, watched: WatchedKeys): Promise<TrackedOutput[]>;
  /** Of these outputs, the transactions whose coins another transaction in the mempool spends. */
  conflicting(outputs: readonly TrackedOutput[]): Set<string>;
}

/** Transactions fetched and parsed at a time when a full mempool is read for the first time. */
const FETCH_TRANSACTIONS = 100;

export function createMempoolMirror(node: UtxoNode, asset: CryptoSymbol, clock: Clock): MempoolMirror {
  const transactions = new Map<string, RawTransaction>();

  async function refresh() {
    const { txids, bestBlockHash } = await node.mempool();
    const listed = new Set(txids);
    for (const txid of transactions.keys()) if (!listed.has(txid)) transactions.delete(txid);
    const unknown = txids.filter((txid) => !transactions.has(txid));
    let complete = true;
    for (let start = 0; start < unknown.length; start += FETCH_TRANSACTIONS) {
      const wanted = unknown.slice(start, start + FETCH_TRANSACTIONS);
      const fetched = await node.transactions(wanted);
      for (const [index, txid] of wanted.entries()) {
        const transaction = fetched[index];
        if (transaction) transactions.set(txid, transaction);
        else complete = false;
      }
    }
    return { bestBlockHash, complete };
  }

  async function matches(memory: WatcherMemory, watched: WatchedKeys): Promise<TrackedOutput[]> {
    const scanner = createScanner(memory, asset, watched);
    const found: TrackedOutput[] = [];
    const fresh: { readonly transaction: RawTransaction; readonly match: RawMatch }[] = [];
    for (const transaction of transactions.values()) {
      for (const match of scanner.match(transaction)) {
        const known = memory.unsettled.get(match.outputId);
        if (known) found.push(known.output);
        else fresh.push({ transaction, match });
      }
    }
    if (fresh.length === 0) return found;
    const txids = [...new Set(fresh.map(({ transaction }) => transaction.txid))];
    const times = await node.mempoolTimes(txids);
    const enteredAt = new Map(txids.map((txid, index) => [txid, times[index] ?? null]));
    const now = clock.now();
    for (const { transaction, match } of fresh) {
      const time = enteredAt.get(transaction.txid) ?? now;
      found.push(toTracked(transaction, match, Math.min(time, now)));
    }
    return found;
  }

  function conflicting(outputs: readonly TrackedOutput[]): Set<string> {
    const conflicted = new Set<string>();
    if (outputs.length === 0) return conflicted;
    // Several of them may have spent the same coins.
    const spenders = new Map<string, Set<string>>();
    for (const output of outputs) {
      for (const outpoint of output.spends) {
        spenders.set(outpoint, (spenders.get(outpoint) ?? new Set()).add(txidOf(output)));
      }
    }
    for (const transaction of transactions.values()) noteConflicts(transaction, spenders, conflicted);
    return conflicted;
  }

  return { refresh, matches, conflicting };
}

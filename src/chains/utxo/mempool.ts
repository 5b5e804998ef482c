import type { CryptoSymbol } from '../../../machines/index.ts';
import type { Clock } from '../../clock.ts';
import type { WatcherMemory } from '../following/memory.ts';
import type { TrackedOutput, WatchSet } from '../port.ts';
import type { UtxoNode } from './node.ts';
import type { RawTransaction } from './raw-transaction.ts';
import { createScanner, type RawMatch, type Scanner, spendersOf, toTracked, txidOf } from './scan.ts';

/**
 * The node's mempool, read by difference: only transactions that were not listed before are fetched, matched once, and let
 * go of. What stays is the id of each, and of those that matter what they pay us or take from us. So a look costs what is
 * new, and foreign transactions a set of ids, whatever they carry.
 */
export interface MempoolMirror {
  /**
   * Reads the listing and what is new in it, provided that the node's tip is this one: else what is new would be compared
   * with outputs that are where another chain has them. Null when it is another.
   */
  refresh(tipHash: string, memory: WatcherMemory, watchSet: WatchSet): Promise<MempoolRefresh | null>;
  /** Watched outputs in the mempool, with the time the node first had them. */
  present(memory: WatcherMemory): TrackedOutput[];
  /** Of these outputs, the transactions whose coins another transaction in the mempool spends. */
  conflicting(outputs: readonly TrackedOutput[]): Set<string>;
}

export interface MempoolRefresh {
  readonly isLoaded: boolean;
  /** False when something listed could not be fetched any more: it left the mempool meanwhile, probably into a block. */
  readonly complete: boolean;
}

/** Transactions fetched and held at a time; the largest that nodes relay have 400,000 bytes. */
const FETCH_TRANSACTIONS = 50;

export function createMempoolMirror(node: UtxoNode, asset: CryptoSymbol, clock: Clock): MempoolMirror {
  /** Listed transactions that were read. */
  const read = new Set<string>();
  /** Outputs to us, by their id. Kept also while nobody has accepted a report of them. */
  const ours = new Map<string, TrackedOutput>();
  /** By a transaction of ours, the listed ones that spend the same coins. */
  const rivals = new Map<string, Set<string>>();

  async function refresh(tipHash: string, memory: WatcherMemory, watchSet: WatchSet): Promise<MempoolRefresh | null> {
    const { txids, isLoaded, bestBlockHash } = await node.mempool();
    if (bestBlockHash !== tipHash) return null;
    forgetAllBut(new Set(txids));
    const unread = txids.filter((txid) => !read.has(txid));
    if (unread.length === 0) return { isLoaded, complete: true };
    const scanner = createScanner(memory, asset, watchSet);
    const spenders = spendersOf([...memory.unsettled.values()].map(({ output }) => output).concat([...ours.values()]));
    let complete = true;
    for (let start = 0; start < unread.length; start += FETCH_TRANSACTIONS) {
      const wanted = unread.slice(start, start + FETCH_TRANSACTIONS);
      const fetched = await node.transactions(wanted);
      // Whoever pays has the address first, so it is known by now.
      await watchSet.refresh();
      const found = fetched.filter((each) => each !== null);
      await keepOurs(found, scanner);
      if (spenders.size > 0) for (const transaction of found) noteRivals(transaction, spenders);
      for (const [index, txid] of wanted.entries()) if (fetched[index]) read.add(txid);
      complete &&= found.length === wanted.length;
    }
    return { isLoaded, complete };
  }

  function forgetAllBut(listed: ReadonlySet<string>): void {
    for (const txid of read) if (!listed.has(txid)) read.delete(txid);
    for (const [outputId, output] of ours) if (!listed.has(txidOf(output))) ours.delete(outputId);
    for (const [txid, spending] of rivals) {
      for (const rival of spending) if (!listed.has(rival)) spending.delete(rival);
      if (spending.size === 0) rivals.delete(txid);
    }
  }

  async function keepOurs(transactions: readonly RawTransaction[], scanner: Scanner): Promise<void> {
    const matches: (readonly [RawTransaction, RawMatch])[] = transactions.flatMap((transaction) =>
      scanner.match(transaction).map((match) => [transaction, match] as const),
    );
    if (matches.length === 0) return;
    const txids = [...new Set(matches.map(([{ txid }]) => txid))];
    const times = await node.mempoolTimes(txids);
    const enteredAt = new Map(txids.map((txid, index) => [txid, times[index] ?? null]));
    const now = clock.now();
    for (const [transaction, match] of matches) {
      const seenAt = Math.min(enteredAt.get(transaction.txid) ?? now, now);
      ours.set(match.outputId, toTracked(transaction, match, seenAt));
    }
  }

  function noteRivals({ txid, spends }: RawTransaction, spenders: ReadonlyMap<string, ReadonlySet<string>>): void {
    for (const outpoint of spends) {
      for (const owner of spenders.get(outpoint) ?? []) {
        if (owner !== txid) rivals.set(owner, (rivals.get(owner) ?? new Set()).add(txid));
      }
    }
  }

  return {
    refresh,
    present(memory) {
      const followed = [...memory.unsettled.values()].map(({ output }) => output);
      const fresh = [...ours.values()].filter(({ outputId }) => !memory.unsettled.has(outputId));
      return [...followed.filter((output) => read.has(txidOf(output))), ...fresh];
    },
    conflicting: (outputs) => new Set(outputs.map(txidOf).filter((txid) => rivals.has(txid))),
  };
}

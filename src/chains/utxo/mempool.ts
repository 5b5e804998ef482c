import type { CryptoSymbol, UnixMs } from '../../../machines/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { TrackedOutput, WatchSet } from '../port.ts';
import type { WatcherMemory } from '../sync/memory.ts';
import { createScanner, type RawMatch, type Scanner, spendersOf, toTracked, txidOf } from './find-watched-outputs.ts';
import type { UtxoNode } from './node.ts';
import type { RawTransaction } from './raw-transaction.ts';

/**
 * Incremental view of the node's mempool: each poll fetches only newly listed transactions and
 * matches them once. Memory holds the ids of all transactions, plus the outputs to watched keys and
 * the conflicts with them. The cost of a poll depends only on what is new.
 */
export interface MempoolMirror {
  /**
   * Lists the mempool and reads what is new, if `tipHash` is still the node's tip; else returns
   * null, because new transactions would be compared with outputs as they stand on another chain.
   */
  refresh(tipHash: string, memory: WatcherMemory, watchSet: WatchSet): Promise<MempoolRefresh | null>;
  /** After a gap, only the node knows when it received the listed transactions. */
  forgetReadingTime(): void;
  /**
   * Watched outputs in the mempool, with the time at which the node first saw them; never earlier
   * than a listing without them, in case the clock of the node is behind.
   */
  present(memory: WatcherMemory): TrackedOutput[];
  /** Ids of those transactions of `outputs` whose inputs another mempool transaction spends. */
  conflicting(outputs: readonly TrackedOutput[]): Set<string>;
}

export interface MempoolRefresh {
  readonly isLoaded: boolean;
  /** False when a listed transaction could not be fetched, probably because it was mined. */
  readonly complete: boolean;
}

/** Transactions fetched and held at a time; the largest that nodes relay are 400,000 bytes. */
const FETCH_TRANSACTIONS = 50;

/** Nodes use whole-second timestamps, so a later arrival in this second is dated before `now`. */
export function wholeSecond(now: UnixMs): UnixMs {
  return Math.floor(now / 1_000) * 1_000;
}

export function createMempoolMirror(node: UtxoNode, asset: CryptoSymbol, clock: Clock): MempoolMirror {
  /** Ids of listed transactions that were read. */
  const read = new Set<string>();
  /** Watched outputs by id, kept even before the sink has accepted a report of them. */
  const ours = new Map<string, TrackedOutput>();
  /** By tracked transaction: the listed transactions that spend the same inputs. */
  const conflicts = new Map<string, Set<string>>();
  /** When everything that was in the mempool had been read; null when that is unknown. */
  let readAllAt: UnixMs | null = null;

  async function refresh(tipHash: string, memory: WatcherMemory, watchSet: WatchSet): Promise<MempoolRefresh | null> {
    const requestedAt = wholeSecond(clock.now());
    const { txids, isLoaded, saysLoaded, bestBlockHash } = await node.mempool();
    if (bestBlockHash !== tipHash) return null;
    forgetAllBut(new Set(txids));
    // A transaction missing from such a listing may have been received long ago.
    if (!saysLoaded) readAllAt = null;
    const complete = await readNew(txids, memory, watchSet);
    if (complete && saysLoaded) readAllAt = requestedAt;
    return { isLoaded, complete };
  }

  /** False when a transaction could not be fetched. */
  async function readNew(txids: readonly string[], memory: WatcherMemory, watchSet: WatchSet): Promise<boolean> {
    const unread = txids.filter((txid) => !read.has(txid));
    if (unread.length === 0) return true;
    const scanner = createScanner(memory, asset, watchSet);
    const spenders = spendersOf([...memory.unsettled.values()].map(({ output }) => output).concat([...ours.values()]));
    let complete = true;
    for (let start = 0; start < unread.length; start += FETCH_TRANSACTIONS) {
      const batch = unread.slice(start, start + FETCH_TRANSACTIONS);
      const fetched = await node.transactions(batch);
      // An address is committed before it can be paid, so a refresh after the fetch includes it.
      await watchSet.refresh();
      const found = fetched.filter((each) => each !== null);
      await keepOurs(found, scanner);
      if (spenders.size > 0) for (const transaction of found) recordConflicts(transaction, spenders);
      for (const [index, txid] of batch.entries()) if (fetched[index]) read.add(txid);
      complete &&= found.length === batch.length;
    }
    return complete;
  }

  function forgetAllBut(listed: ReadonlySet<string>): void {
    for (const txid of read) if (!listed.has(txid)) read.delete(txid);
    for (const [outputId, output] of ours) if (!listed.has(txidOf(output))) ours.delete(outputId);
    for (const [txid, spending] of conflicts) {
      for (const conflict of spending) if (!listed.has(conflict)) spending.delete(conflict);
      if (spending.size === 0) conflicts.delete(txid);
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
      const enteredNoEarlier = Math.max(enteredAt.get(transaction.txid) ?? now, readAllAt ?? 0);
      const seenAt = Math.min(enteredNoEarlier, now);
      ours.set(match.outputId, toTracked(transaction, match, seenAt));
    }
  }

  function recordConflicts({ txid, spends }: RawTransaction, spenders: ReadonlyMap<string, ReadonlySet<string>>): void {
    for (const outpoint of spends) {
      for (const owner of spenders.get(outpoint) ?? []) {
        if (owner !== txid) conflicts.set(owner, (conflicts.get(owner) ?? new Set()).add(txid));
      }
    }
  }

  return {
    refresh,
    forgetReadingTime: () => {
      readAllAt = null;
    },
    present(memory) {
      const followed = [...memory.unsettled.values()].map(({ output }) => output);
      const fresh = [...ours.values()].filter(({ outputId }) => !memory.unsettled.has(outputId));
      return [...followed.filter((output) => read.has(txidOf(output))), ...fresh];
    },
    conflicting: (outputs) => new Set(outputs.map(txidOf).filter((txid) => conflicts.has(txid))),
  };
}

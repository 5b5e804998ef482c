import type { PlayedBlock, PlayedNode, PlayedTransaction } from './chain.ts';

/** Contents of the best chain and of the mempool between two events. */
export interface Timestamp {
  readonly at: number;
  readonly present: ReadonlySet<string>;
}

/** The contents after each event. */
export type Timeline = ReturnType<typeof createTimeline>;

/** Number of newest blocks of the best chain that can contain transactions of one history. */
const RECENT_BLOCKS = 400;

export function createTimeline<T extends PlayedTransaction>(node: PlayedNode<T>) {
  const moments: Timestamp[] = [];
  const blockTimes = new Map<string, Set<number>>();

  function recentBlocks(): readonly PlayedBlock<T>[] {
    return node.bestBranch().slice(-RECENT_BLOCKS);
  }

  function now(): Timestamp {
    const listed = [...recentBlocks().flatMap((block) => block.transactions), ...node.waiting()];
    return { at: node.time.timeSeconds * 1_000, present: new Set(listed.map(({ txid }) => txid)) };
  }

  return {
    moments: moments as readonly Timestamp[],
    now,
    recentBlocks: recentBlocks as () => readonly PlayedBlock<PlayedTransaction>[],
    /** Unix ms of the blocks that ever contained a transaction in the best chain. */
    blockTimes: (txid: string): ReadonlySet<number> => blockTimes.get(txid) ?? new Set(),
    record(): void {
      moments.push(now());
      for (const { transactions, timeSeconds } of recentBlocks()) {
        for (const { txid } of transactions) {
          blockTimes.set(txid, (blockTimes.get(txid) ?? new Set()).add(timeSeconds * 1_000));
        }
      }
    },
  };
}

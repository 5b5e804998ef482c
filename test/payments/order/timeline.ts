import type { PlayedBlock, PlayedNode, PlayedTransaction } from './chain.ts';

/** What was in the best chain or in the mempool between two happenings. */
export interface Moment {
  readonly at: number;
  readonly present: ReadonlySet<string>;
}

/** What was where, from happening to happening. */
export type Timeline = ReturnType<typeof createTimeline>;

/** Blocks at the end of the best chain in which transactions of one history can be. */
const RECENT_BLOCKS = 400;

export function createTimeline<T extends PlayedTransaction>(node: PlayedNode<T>) {
  const moments: Moment[] = [];
  const blockTimes = new Map<string, Set<number>>();

  function recentBlocks(): readonly PlayedBlock<T>[] {
    return node.bestBranch().slice(-RECENT_BLOCKS);
  }

  function now(): Moment {
    const listed = [...recentBlocks().flatMap((block) => block.transactions), ...node.waiting()];
    return { at: node.time.timeSeconds * 1_000, present: new Set(listed.map(({ txid }) => txid)) };
  }

  return {
    moments: moments as readonly Moment[],
    now,
    recentBlocks: recentBlocks as () => readonly PlayedBlock<PlayedTransaction>[],
    /** Unix ms of the blocks that ever held a transaction in the best chain. */
    blockTimes: (txid: string): ReadonlySet<number> => blockTimes.get(txid) ?? new Set(),
    note(): void {
      moments.push(now());
      for (const { transactions, timeSeconds } of recentBlocks()) {
        for (const { txid } of transactions) {
          blockTimes.set(txid, (blockTimes.get(txid) ?? new Set()).add(timeSeconds * 1_000));
        }
      }
    },
  };
}

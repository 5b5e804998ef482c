import type { GoneReason } from '../../../machines/index.ts';
import { groupBy } from '../../platform/group-by.ts';
import type { Cursor, TrackedOutput, VerifyRequest } from '../port.ts';
import { isDoubleSpent } from '../sync/gone-outputs.ts';
import type { WatcherMemory } from '../sync/memory.ts';
import type { Finding } from '../sync/reporter.ts';
import { txidOf } from './find-watched-outputs.ts';
import type { PollDeps } from './poll.ts';
import type { RawBlock } from './raw-block.ts';
import type { RawTransaction } from './raw-transaction.ts';
import { visitBlocks } from './visit-blocks.ts';

/** One output to verify. The same output may occur twice. */
type OutputToVerify = VerifyRequest['outputs'][number];

type LocateDeps = Pick<PollDeps, 'node' | 'mempool' | 'params'>;

interface LocatedOutputs {
  /** In the order of the request. */
  readonly findings: readonly Finding[];
  /** A block read from the node differs from the remembered block at its height. */
  readonly sawOtherBranch: boolean;
}

/**
 * Finds outputs: in the blocks where they were last known, then in the mempool, then through the
 * node's transaction index. Each step handles all outputs together in requests of limited size, and
 * holds the blocks of at most one request in memory.
 */
export async function locateOutputs(
  deps: LocateDeps,
  memory: WatcherMemory,
  requested: readonly OutputToVerify[],
  tipHeight: number,
): Promise<LocatedOutputs> {
  const { node, mempool, params } = deps;
  const mined = new Map<OutputToVerify, Mined>();
  const waiting = new Map<OutputToVerify, Pick<RawTransaction, 'spends'>>();
  let sawOtherBranch = false;

  const isMissing = (each: OutputToVerify) => !mined.has(each) && !waiting.has(each);

  /** Searches the block at `heightOf` for each output that was not found yet. */
  async function readBlocks(heightOf: (each: OutputToVerify) => number | null): Promise<void> {
    const byHeight = groupBy(requested.filter(isMissing), heightOf);
    const heights = [...byHeight.keys()].filter((height) => height !== null);
    await visitBlocks(node, heights, (height, block) => {
      // Comparing tips at the end would miss a branch that appeared and vanished during the search.
      const remembered = memory.chain.at(height);
      if (remembered !== null && remembered.blockHash !== block?.hash) sawOtherBranch = true;
      if (block === null) return;
      const outputs = byHeight.get(height) ?? [];
      const transactions = transactionsOf(block.raw, outputs);
      for (const each of outputs) {
        const transaction = transactions.get(txidOf(each.output));
        if (transaction === undefined || !pays(transaction, each.output)) continue;
        // Do not store the transaction: it would keep its whole block in memory.
        mined.set(each, { height, blockHash: block.hash, spends: transaction.spends });
      }
    });
  }

  async function readMempool(): Promise<void> {
    const missing = requested.filter(isMissing);
    const txids = txidsOf(missing);
    const times = await node.mempoolTimes(txids);
    const present = txids.filter((_, index) => typeof times[index] === 'number');
    const transactions = new Map((await node.transactions(present)).map((each, index) => [present[index], each]));
    for (const each of missing) {
      const transaction = transactions.get(txidOf(each.output));
      if (transaction && pays(transaction, each.output)) waiting.set(each, { spends: transaction.spends });
    }
  }

  /** The transaction index may point to a stale block; `heightsOf` knows only the best chain. */
  async function indexedHeights(): Promise<ReadonlyMap<string, number | null>> {
    const txids = txidsOf(requested.filter(isMissing));
    const hashes = await node.indexedBlockHashes(txids);
    const known = [...new Set(hashes.filter((hash) => hash !== null))];
    const heights = await node.heightsOf(known);
    const heightOf = new Map(known.map((hash, index) => [hash, heights[index] ?? null]));
    return new Map(txids.map((txid, index) => [txid, heightOf.get(hashes[index] ?? '') ?? null]));
  }

  /** Outputs that lack confirmations but are in a ChainLocked block. */
  async function findLocked(): Promise<ReadonlySet<OutputToVerify>> {
    const shallow = [...mined].filter(([each, location]) => params.reportsLocks === true && !isDeep(each, location));
    const locked = await node.lockedInBlock(
      shallow.map(([{ output }, { blockHash }]) => ({ txid: txidOf(output), blockHash })),
    );
    return new Set(shallow.filter((_, index) => locked[index] === true).map(([each]) => each));
  }

  const isDeep = ({ requiredConfirmations }: OutputToVerify, { height }: Cursor) =>
    tipHeight - height + 1 >= requiredConfirmations;

  await readBlocks(({ output }) => memory.chain.find(output.outputId)?.block.height ?? null);
  await readBlocks(({ reportedHeight }) => reportedHeight ?? null);
  await readMempool();
  const indexed = await indexedHeights();
  await readBlocks(({ output }) => indexed.get(txidOf(output)) ?? null);
  const locked = await findLocked();
  const replaced = mempool.conflicting(requested.filter(isMissing).map(({ output }) => output));

  function findingOf(each: OutputToVerify): Finding {
    const { output } = each;
    const location = mined.get(each);
    const { spends } = location ?? waiting.get(each) ?? output;
    if (location !== undefined) {
      const { height, blockHash } = location;
      const lock = locked.has(each) ? ({ byLock: true } as const) : {};
      const kind = isDeep(each, location) || locked.has(each) ? 'confirmed' : 'block';
      return { output: { ...output, spends }, status: { kind, height, blockHash, ...lock } };
    }
    if (waiting.has(each)) return { output: { ...output, spends }, status: { kind: 'mempool' } };
    return { output, status: { kind: 'gone', reason: reasonFor(memory, each, replaced) } };
  }

  return { findings: requested.map(findingOf), sawOtherBranch };
}

// Helpers

interface Mined extends Cursor {
  readonly spends: readonly string[];
}

function reasonFor(
  memory: WatcherMemory,
  { output, reportedHeight = null }: OutputToVerify,
  replaced: ReadonlySet<string>,
): GoneReason {
  const txid = txidOf(output);
  if (isDoubleSpent(memory, txid, replaced)) return 'replaced';
  return memory.goneReasons.get(output.outputId) ?? (reportedHeight === null ? 'evicted' : 'reorged');
}

function pays(transaction: RawTransaction, { outputId, watchKey, amountBaseUnits }: TrackedOutput): boolean {
  const [txid, vout] = outputId.split(':');
  const candidate = transaction.outputs[Number(vout)];
  return transaction.txid === txid && candidate?.scriptHex === watchKey && candidate.valueBaseUnits === amountBaseUnits;
}

/** The transactions of these outputs in a block, keyed by txid. */
function transactionsOf(
  { transactions }: RawBlock,
  requested: readonly OutputToVerify[],
): ReadonlyMap<string, RawTransaction> {
  const txids = new Set(txidsOf(requested));
  return new Map(transactions.filter(({ txid }) => txids.has(txid)).map((each) => [each.txid, each]));
}

function txidsOf(requested: readonly OutputToVerify[]): string[] {
  return [...new Set(requested.map(({ output }) => txidOf(output)))];
}

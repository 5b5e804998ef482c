import type { GoneReason } from '../../../machines/index.ts';
import type { WatcherMemory } from '../following/memory.ts';
import type { Finding } from '../following/reporter.ts';
import type { Cursor, TrackedOutput, VerifyRequest } from '../port.ts';
import type { LookDeps } from './look.ts';
import type { RawBlock } from './raw-block.ts';
import type { RawTransaction } from './raw-transaction.ts';
import { txidOf } from './scan.ts';
import { visitBlocks } from './visit-blocks.ts';

/** One output that is asked about. Two may be about the same one. */
type Asked = VerifyRequest['outputs'][number];

type PlaceDeps = Pick<LookDeps, 'node' | 'mempool' | 'params'>;

interface Places {
  /** In the order of what was asked. */
  readonly findings: readonly Finding[];
  /** A block that was read is not the one that is remembered at its height. */
  readonly sawOtherBranch: boolean;
}

/**
 * Looks outputs up: in the blocks they may be in, then in the mempool, then where the node's index has them. Each of these is asked
 * for all outputs together, in requests of limited size; of blocks no more than one request is held at a time.
 */
export async function findPlaces(
  deps: PlaceDeps,
  memory: WatcherMemory,
  asked: readonly Asked[],
  tipHeight: number,
): Promise<Places> {
  const { node, mempool, params } = deps;
  const mined = new Map<Asked, Mined>();
  const waiting = new Map<Asked, Pick<RawTransaction, 'spends'>>();
  let sawOtherBranch = false;

  const isMissing = (each: Asked) => !mined.has(each) && !waiting.has(each);

  /** Looks for what is still missing in the block at its height. */
  async function readBlocks(heightOf: (each: Asked) => number | null): Promise<void> {
    const byHeight = groupBy(asked.filter(isMissing), heightOf);
    await visitBlocks(node, [...byHeight.keys()], (height, block) => {
      // The tip is compared only when all answers are found, and a branch that comes and goes meanwhile leaves it as it was.
      const remembered = memory.chain.at(height);
      if (remembered !== null && remembered.blockHash !== block?.hash) sawOtherBranch = true;
      if (block === null) return;
      const outputs = byHeight.get(height) ?? [];
      const transactions = transactionsOf(block.raw, outputs);
      for (const each of outputs) {
        const transaction = transactions.get(txidOf(each.output));
        if (transaction === undefined || !pays(transaction, each.output)) continue;
        // Not the transaction itself: it would keep its whole block in memory.
        mined.set(each, { height, blockHash: block.hash, spends: transaction.spends });
      }
    });
  }

  async function readMempool(): Promise<void> {
    const missing = asked.filter(isMissing);
    const txids = txidsOf(missing);
    const times = await node.mempoolTimes(txids);
    const present = txids.filter((_, index) => typeof times[index] === 'number');
    const transactions = new Map((await node.transactions(present)).map((each, index) => [present[index], each]));
    for (const each of missing) {
      const transaction = transactions.get(txidOf(each.output));
      if (transaction && pays(transaction, each.output)) waiting.set(each, { spends: transaction.spends });
    }
  }

  /** The node's transaction index may point into a stale block; `heightsOf` answers only for the best chain. */
  async function indexedHeights(): Promise<ReadonlyMap<string, number | null>> {
    const txids = txidsOf(asked.filter(isMissing));
    const hashes = await node.indexedBlockHashes(txids);
    const known = [...new Set(hashes.filter((hash) => hash !== null))];
    const heights = await node.heightsOf(known);
    const heightOf = new Map(known.map((hash, index) => [hash, heights[index] ?? null]));
    return new Map(txids.map((txid, index) => [txid, heightOf.get(hashes[index] ?? '') ?? null]));
  }

  /** Those that masternodes have locked in their block, of what is not deep enough without it. */
  async function findLocked(): Promise<ReadonlySet<Asked>> {
    const shallow = [...mined].filter(([each, place]) => params.reportsLocks === true && !isDeep(each, place));
    const locked = await node.lockedInBlock(
      shallow.map(([{ output }, { blockHash }]) => ({ txid: txidOf(output), blockHash })),
    );
    return new Set(shallow.filter((_, index) => locked[index] === true).map(([each]) => each));
  }

  const isDeep = ({ requiredConfirmations }: Asked, { height }: Cursor) =>
    tipHeight - height + 1 >= requiredConfirmations;

  await readBlocks(({ output }) => memory.chain.find(output.outputId)?.block.height ?? null);
  await readBlocks(({ reportedHeight }) => reportedHeight ?? null);
  await readMempool();
  const indexed = await indexedHeights();
  await readBlocks(({ output }) => indexed.get(txidOf(output)) ?? null);
  const locked = await findLocked();
  const replaced = mempool.conflicting(asked.filter(isMissing).map(({ output }) => output));

  function findingOf(each: Asked): Finding {
    const { output } = each;
    const place = mined.get(each);
    const { spends } = place ?? waiting.get(each) ?? output;
    if (place !== undefined) {
      const { height, blockHash } = place;
      const lock = locked.has(each) ? ({ byLock: true } as const) : {};
      const kind = isDeep(each, place) || locked.has(each) ? 'confirmed' : 'block';
      return { output: { ...output, spends }, standing: { kind, height, blockHash, ...lock } };
    }
    if (waiting.has(each)) return { output: { ...output, spends }, standing: { kind: 'mempool' } };
    return { output, standing: { kind: 'gone', reason: reasonFor(memory, each, replaced) } };
  }

  return { findings: asked.map(findingOf), sawOtherBranch };
}

// Helpers

interface Mined extends Cursor {
  readonly spends: readonly string[];
}

function reasonFor(
  memory: WatcherMemory,
  { output, reportedHeight = null }: Asked,
  replaced: ReadonlySet<string>,
): GoneReason {
  const txid = txidOf(output);
  if (replaced.has(txid) || memory.conflictedTxids.has(txid)) return 'replaced';
  return memory.goneReasons.get(output.outputId) ?? (reportedHeight === null ? 'evicted' : 'reorged');
}

function pays(transaction: RawTransaction, { outputId, watchKey, amountBaseUnits }: TrackedOutput): boolean {
  const [txid, vout] = outputId.split(':');
  const candidate = transaction.outputs[Number(vout)];
  return transaction.txid === txid && candidate?.scriptHex === watchKey && candidate.valueBaseUnits === amountBaseUnits;
}

/** The transactions of these outputs in a block, by id. */
function transactionsOf({ transactions }: RawBlock, asked: readonly Asked[]): ReadonlyMap<string, RawTransaction> {
  const txids = new Set(txidsOf(asked));
  return new Map(transactions.filter(({ txid }) => txids.has(txid)).map((each) => [each.txid, each]));
}

function txidsOf(asked: readonly Asked[]): string[] {
  return [...new Set(asked.map(({ output }) => txidOf(output)))];
}

/** What has no height is left out. */
function groupBy(asked: readonly Asked[], heightOf: (each: Asked) => number | null): Map<number, Asked[]> {
  const groups = new Map<number, Asked[]>();
  for (const each of asked) {
    const height = heightOf(each);
    if (height === null) continue;
    const group = groups.get(height);
    if (group === undefined) groups.set(height, [each]);
    else group.push(each);
  }
  return groups;
}

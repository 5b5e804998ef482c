import type { GoneReason } from '../../../machines/index.ts';
import { RetryableError } from '../../errors.ts';
import type { WatcherMemory } from '../following/memory.ts';
import type { Finding } from '../following/reporter.ts';
import type { Cursor, Standing, TrackedOutput, VerifyRequest } from '../port.ts';
import type { LookDeps, LookResult } from './look.ts';
import type { RawBlock } from './raw-block.ts';
import type { RawTransaction } from './raw-transaction.ts';
import { txidOf } from './scan.ts';

/** Times an answer is worked out anew because the tip moved under it. */
const VERIFY_ROUNDS = 6;

/**
 * Answers with the standing of each output now. Nothing remembered is trusted: the block at the output's height is
 * read again and must hold the very output. `look` brings the memory up to the tip; the tip must still be the same
 * when all answers are found.
 */
export async function verifyOutputs(
  deps: LookDeps,
  memory: WatcherMemory,
  request: VerifyRequest,
  look: () => Promise<LookResult>,
): Promise<void> {
  for (let round = 1; round <= VERIFY_ROUNDS; round += 1) {
    const { caughtUp } = await look();
    const tip = memory.chain.tip();
    if (!caughtUp || tip === null) {
      throw new RetryableError('NODE_SYNCING', 'verification waits until the node has caught up with its network');
    }
    const places = createPlaces(deps, memory, tip.height);
    const answers: Finding[] = [];
    for (const asked of request.outputs) {
      const { output } = asked;
      const standing = await places.standingOf(output, asked.requiredConfirmations, asked.reportedHeight ?? null);
      answers.push({ output: { ...output, spends: places.spendsOf(output) ?? output.spends }, standing });
    }
    if (places.sawOtherBranch() || (await deps.node.bestBlockHash()) !== tip.blockHash) continue;
    await adopt(deps, memory, answers, tip);
    await deps.reporter.report(memory, answers);
    return;
  }
  throw new RetryableError('TIP_MOVED', 'the tip kept moving while outputs were verified');
}

/** Looks outputs up: in the blocks they may be in, then in the mempool. Blocks are read once per round. */
function createPlaces(deps: LookDeps, memory: WatcherMemory, tipHeight: number) {
  const { node, mempool, params } = deps;
  const blocks = new Map<number, { readonly hash: string; readonly raw: RawBlock } | null>();
  const spends = new Map<string, readonly string[]>();
  let sawOtherBranch = false;

  async function blockAt(height: number) {
    const known = blocks.get(height);
    if (known !== undefined) return known;
    const [hash] = await node.blockHashes([height]);
    const [raw] = hash ? await node.blocks([hash]) : [];
    const block = hash && raw ? { hash, raw } : null;
    blocks.set(height, block);
    return block;
  }

  async function standingAt(height: number, output: TrackedOutput, required: number): Promise<Standing | null> {
    const block = await blockAt(height);
    const transaction = block?.raw.transactions.find((candidate) => pays(candidate, output));
    // The tip is compared only when all answers are found, and a branch that comes and goes meanwhile leaves it as it was.
    const remembered = memory.chain.at(height);
    if (remembered !== null && remembered.blockHash !== block?.hash) sawOtherBranch = true;
    if (!block || !transaction) return null;
    spends.set(output.outputId, transaction.spends);
    const isDeep = tipHeight - height + 1 >= required;
    const kind = isDeep || (await isLocked(transaction.txid, block.hash)) ? 'confirmed' : 'block';
    return { kind, height, blockHash: block.hash };
  }

  async function isLocked(txid: string, blockHash: string): Promise<boolean> {
    const [locked] = params.reportsLocks === true ? await node.lockedInBlock([{ txid, blockHash }]) : [];
    return locked === true;
  }

  /** The node's transaction index may point into a stale block; `heightOf` answers only for the best chain. */
  async function indexedHeight(txid: string): Promise<number | null> {
    const hash = await node.indexedBlockHash(txid);
    return hash === null ? null : node.heightOf(hash);
  }

  async function standingOf(output: TrackedOutput, required: number, hint: number | null): Promise<Standing> {
    const remembered = memory.chain.find(output.outputId)?.block.height ?? null;
    for (const height of new Set([remembered, hint])) {
      const standing = height === null ? null : await standingAt(height, output, required);
      if (standing !== null) return standing;
    }
    const txid = txidOf(output);
    const [inMempool] = await node.mempoolTimes([txid]);
    const [transaction] = typeof inMempool === 'number' ? await node.transactions([txid]) : [];
    if (transaction && pays(transaction, output)) {
      spends.set(output.outputId, transaction.spends);
      return { kind: 'mempool' };
    }
    const indexed = await indexedHeight(txid);
    const standing = indexed === null ? null : await standingAt(indexed, output, required);
    if (standing !== null) return standing;
    return { kind: 'gone', reason: reasonFor(output, hint !== null) };
  }

  function reasonFor(output: TrackedOutput, wasMined: boolean): GoneReason {
    const replaced = mempool.conflicting([output]).size > 0 || memory.conflictedTxids.has(txidOf(output));
    return replaced ? 'replaced' : (memory.goneReasons.get(output.outputId) ?? (wasMined ? 'reorged' : 'evicted'));
  }

  return {
    standingOf,
    spendsOf: (output: TrackedOutput) => spends.get(output.outputId),
    sawOtherBranch: () => sawOtherBranch,
  };
}

function pays(transaction: RawTransaction, output: TrackedOutput): boolean {
  if (transaction.txid !== txidOf(output)) return false;
  return transaction.outputs.some(
    (candidate) =>
      `${transaction.txid}:${candidate.vout}` === output.outputId &&
      candidate.scriptHex === output.watchKey &&
      candidate.valueBaseUnits === output.amountBaseUnits,
  );
}

/**
 * An output that was in a block before anyone watched it is added to that block, here and in the store, so that it
 * is followed when the block falls. Done before the answer is given: an answer must not be forgotten in a crash.
 */
export async function adopt(
  deps: LookDeps,
  memory: WatcherMemory,
  answers: readonly Finding[],
  tip: Cursor,
): Promise<void> {
  let lowest = Number.POSITIVE_INFINITY;
  for (const { output, standing } of answers) {
    if (!('height' in standing) || memory.chain.find(output.outputId) !== null) continue;
    if (memory.chain.at(standing.height) === null) continue;
    memory.chain.adopt(standing.height, output);
    lowest = Math.min(lowest, standing.height);
  }
  if (lowest > tip.height) return;
  await deps.reporter.saveProgress(memory, {
    forkHeight: lowest - 1,
    blocks: memory.chain.above(lowest - 1),
    cursor: { height: tip.height, blockHash: tip.blockHash },
    tipHeight: tip.height,
    lookedUntil: null,
  });
}

import { RetryableError } from '../../platform/errors.ts';
import type { ExpectedBalance, OpenAccount, RescanRange, RescanResult, TrackedOutput } from '../port.ts';
import type { Finding } from '../sync/reporter.ts';
import { BATCH_ROUNDS, rescanRange } from '../sync/rescan-range.ts';
import { createAccountFlows } from './balance-check/account-flows.ts';
import { readableBalances } from './balance-check/readable-balances.ts';
import { explainedBy } from './balance-check/token-balances.ts';
import type { EvmMemory } from './evm-memory.ts';
import type { EvmBlock } from './node/evm-node.ts';
import { unlessLeftChain } from './node/state-at.ts';
import { attributeLate, replaceReported } from './outputs/attribute-late.ts';
import { saveLate } from './outputs/late.ts';
import { createOutputs, readReceipts, relevant, scanTransactions, scanTransfers } from './outputs/match-payments.ts';
import { matchDeps } from './outputs/process-batch.ts';
import type { PlacedOutput } from './outputs/scan-batch.ts';
import type { PollDeps, PollResult } from './poll.ts';

/**
 * Reads blocks of the best chain again and reports what pays a watched address; returns the numbers
 * of blocks and reported outputs. Polls first, so that what is reported is followed from then on;
 * reads a batch again when its branch changes. Throws a `RangeError` for blocks outside the chain,
 * and `RetryableError` `STATE_MISSING` or `TIP_MOVED`.
 *
 * Coins without a transaction to their address are not searched: every open account is compared
 * anyway, and in blocks no longer in memory a balance may already have counted them.
 */
export async function rescanBlocks(
  deps: PollDeps,
  memory: EvmMemory,
  range: RescanRange,
  poll: () => Promise<PollResult>,
): Promise<RescanResult> {
  return rescanRange(range, poll, (fromHeight, toHeight) => rescanBatch(deps, memory, fromHeight, toHeight, poll));
}

// Helpers

/** One block that was read again. */
interface Reread {
  readonly block: EvmBlock;
  readonly outputs: readonly TrackedOutput[];
}

/** Returns the number of outputs reported. */
async function rescanBatch(
  deps: PollDeps,
  memory: EvmMemory,
  fromHeight: number,
  toHeight: number,
  poll: () => Promise<PollResult>,
): Promise<number> {
  for (let round = 1; round <= BATCH_ROUNDS; round += 1) {
    if (memory.staleAbove !== null) {
      throw new RetryableError('STATE_MISSING', 'cannot rescan until balances can be read after the reorganisation');
    }
    const read = await unlessLeftChain(readAgain(deps, memory, fromHeight, toHeight));
    if (read === null || !(await isUnmoved(deps, memory, read))) {
      await poll();
      continue;
    }
    await adoptMissing(deps, memory, read);
    await attributeLate(deps, memory, (height) => height >= fromHeight && height <= toHeight);
    const findings = read.flatMap((each) => findingsIn(memory, each));
    await deps.reporter.report(memory, findings, { isForced: true });
    return findings.length;
  }
  throw new RetryableError('TIP_MOVED', 'the tip changed during every attempt to read blocks again');
}

/** Null when the best chain no longer has all of the blocks. */
async function readAgain(
  deps: PollDeps,
  memory: EvmMemory,
  fromHeight: number,
  toHeight: number,
): Promise<Reread[] | null> {
  const heights = Array.from({ length: toHeight - fromHeight + 1 }, (_, index) => fromHeight + index);
  const blocks = (await deps.node.blocks(heights)).filter((block) => block !== null);
  if (blocks.length < heights.length) return null;
  const hashes = new Map(blocks.map(({ height, hash }) => [height, hash]));
  const end = { height: toHeight, blockHash: hashes.get(toHeight) ?? '' };
  const transfers = await unlessLeftChain(deps.node.tokenTransfers({ fromHeight, end }));
  if (transfers === null || transfers.some(({ height, blockHash }) => hashes.get(height) !== blockHash)) return null;
  await deps.watchSet.refresh();
  const matching = { ...matchDeps(deps, memory, []), isCompared: () => false };
  const receipts = await readReceipts(matching, blocks);
  if (receipts === null) return null;
  const toOutput = createOutputs(matching, memory);
  const read: Reread[] = [];
  for (const block of blocks) {
    const here = relevant(
      matching,
      transfers.filter(({ height }) => height === block.height),
    );
    const coins = scanTransactions(matching, block, receipts, createAccountFlows(), toOutput);
    const tokens = await scanTransfers(matching, block, here, toOutput);
    if (tokens === null) return null;
    read.push({ block, outputs: [...coins, ...tokens.map(({ output }) => output)] });
  }
  return read;
}

async function isUnmoved(deps: PollDeps, memory: EvmMemory, read: readonly Reread[]): Promise<boolean> {
  const tip = memory.chain.tip();
  const last = read.at(-1)?.block;
  if (tip === null || last === undefined) return false;
  const [lastHash, tipHash] = await deps.node.blockHashes([last.height, tip.height]);
  const isRemembered = read.every(
    ({ block }) => (memory.chain.at(block.height)?.blockHash ?? block.hash) === block.hash,
  );
  return lastHash === last.hash && tipHash === tip.blockHash && isRemembered;
}

/** Adds outputs missing from blocks in memory; their coins no longer count by balance. */
async function adoptMissing(deps: PollDeps, memory: EvmMemory, read: readonly Reread[]): Promise<void> {
  const missing: PlacedOutput[] = read.flatMap(({ block, outputs }) =>
    outputs
      .filter(({ outputId }) => memory.chain.find(outputId) === null && memory.chain.at(block.height) !== null)
      .map((output) => ({ height: block.height, output })),
  );
  if (missing.length === 0) return;
  const balances = await explainedBalances(deps, memory, missing);
  for (const [index, each] of missing.entries()) {
    await saveLate(deps.reporter, memory, { ...replaceReported(memory, each), balances: index === 0 ? balances : [] });
  }
}

/** A token balance above its logs is explained by the logs found now. */
async function explainedBalances(
  { node, accounts, params }: PollDeps,
  memory: EvmMemory,
  missing: readonly PlacedOutput[],
): Promise<ExpectedBalance[]> {
  const flows = createAccountFlows();
  for (const { output } of missing) flows.add(output, output.amountBaseUnits);
  const isExplained = (account: OpenAccount) => account.asset !== params.asset && flows.of(account) > 0n;
  const open = (await accounts.openAccounts()).filter(isExplained);
  const tip = memory.chain.tip();
  const real = tip === null ? null : await unlessLeftChain(readableBalances(node, open, tip));
  return open.flatMap((account, index) => {
    const { watchKey, asset, expectedBaseUnits } = account;
    const balance = real?.[index] ?? null;
    if (balance === null || expectedBaseUnits === null) return [];
    const baseUnits = expectedBaseUnits + explainedBy(flows.of(account), balance - expectedBaseUnits);
    return [{ watchKey, asset, baseUnits }];
  });
}

/**
 * Outputs in memory take precedence: a scan lacks internal payments and may lack received amounts.
 */
function findingsIn(memory: EvmMemory, { block, outputs }: Reread): Finding[] {
  const { height, hash: blockHash } = block;
  const here = memory.chain.at(height)?.outputs ?? outputs;
  return here.map((output) => ({ output, status: { kind: 'block', height, blockHash } }));
}

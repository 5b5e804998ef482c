import type { AccountChange, TrackedOutput } from '../../port.ts';
import { accountKey } from '../balance-check/account-flows.ts';
import type { EvmMemory } from '../evm-memory.ts';
import { increasedAfter } from './explain-increases.ts';
import { type LateChanges, saveLate } from './late.ts';
import { createOutputs } from './match-payments.ts';
import { outputKind } from './output-id.ts';
import { type BatchDeps, matchDeps } from './process-batch.ts';
import type { PlacedOutput } from './scan-batch.ts';
import { paidTo } from './traced-payments.ts';

/**
 * Traces blocks in memory again to find the transactions behind outputs known by their balance
 * only, and saves and reports them. An output gets a txid only where one transaction sent exactly
 * its amount, and keeps its id: dividing it would report a part of the coins as gone for a moment.
 */
export async function attributeLate(
  deps: BatchDeps,
  memory: EvmMemory,
  isRequested: (height: number) => boolean,
): Promise<void> {
  const toOutput = createOutputs(matchDeps(deps, memory, []), memory);
  const placed: PlacedOutput[] = [];
  for (const { height, blockHash, outputs } of memory.chain.above(-1)) {
    const unnamed = isRequested(height) ? outputs.filter((output) => output.txid === null) : [];
    if (unnamed.length === 0) continue;
    const addresses = new Set(unnamed.map(({ watchKey }) => watchKey));
    const traced = await deps.node.internalTransfers(addresses, { height, blockHash });
    const [block] = traced === null || traced.transfers.length === 0 ? [] : await deps.node.blocks([height]);
    if (!traced || !block || block.hash !== blockHash) continue;
    const sent = outputs.filter(({ outputId }) => ['internal', 'balance'].includes(outputKind(outputId).kind));
    const alreadyNamed = new Set(sent.map(({ txid, watchKey }) => `${txid} ${watchKey}`));
    for (const output of unnamed) {
      const { outputId, watchKey, asset, amountBaseUnits, firstSeenAt } = output;
      // Which part of a divided increase a transaction sent is unknown.
      if (unnamed.some((other) => other !== output && other.watchKey === watchKey)) continue;
      const payments = paidTo(watchKey, traced.transfers).filter(
        ({ txid }) => !alreadyNamed.has(`${txid} ${watchKey}`),
      );
      const [payment, another] = payments;
      const transaction = block.transactions.find(({ txid }) => txid === payment?.txid);
      if (!transaction || another !== undefined || payment?.amountBaseUnits !== amountBaseUnits) continue;
      const named = toOutput(block, transaction, { outputId, watchKey, asset, amountBaseUnits });
      placed.push({ height, output: { ...named, firstSeenAt } });
    }
  }
  await saveLate(deps.reporter, memory, { placed, removed: [] });
}

/**
 * Changes for a transaction found late in a block in memory. A balance increase may already have
 * been reported for its coins, where the account was assumed to be empty: that output shrinks by
 * the same amount. Coins a contract sent to an account that is not compared in every poll were not
 * reported yet; they become a flow, so that no later balance comparison reports them again.
 */
export function replaceReported(memory: EvmMemory, { height, output }: PlacedOutput): LateChanges {
  const placed: PlacedOutput[] = [{ height, output }];
  const removed: TrackedOutput[] = [];
  const flows: { height: number; change: AccountChange }[] = [];
  const { watchKey, asset } = output;
  const move = (at: number, baseUnits: bigint) => flows.push({ height: at, change: { watchKey, asset, baseUnits } });
  let rest = output.amountBaseUnits;
  for (const { at, reported } of reportedSince(memory, { height, output })) {
    if (rest === 0n) break;
    const part = reported.amountBaseUnits < rest ? reported.amountBaseUnits : rest;
    rest -= part;
    move(at, -part);
    move(height, part);
    if (part === reported.amountBaseUnits) removed.push(reported);
    else placed.push({ height: at, output: { ...reported, amountBaseUnits: reported.amountBaseUnits - part } });
  }
  const isOpen = memory.knownOpen?.has(accountKey(output)) === true;
  if (rest > 0n && !isOpen && outputKind(output.outputId).kind === 'internal') move(height, rest);
  return { placed, removed, flows };
}

// Helpers

/**
 * Balance-only outputs from a height on that may be these coins; those first seen with it first.
 */
function reportedSince(
  memory: EvmMemory,
  { height, output }: PlacedOutput,
): { readonly at: number; readonly reported: TrackedOutput }[] {
  const isSeenWith = (reported: TrackedOutput) => Number(reported.firstSeenAt === output.firstSeenAt);
  return memory.chain
    .above(height - 1)
    .flatMap((block) => block.outputs.map((reported) => ({ at: block.height, reported })))
    .filter(({ reported }) => accountKey(reported) === accountKey(output) && mayStandFor(reported, output, height))
    .sort((one, another) => isSeenWith(another.reported) - isSeenWith(one.reported));
}

/** Whether a balance-only output is, or may be, what a transaction at a height sent. */
function mayStandFor(reported: TrackedOutput, { txid }: TrackedOutput, height: number): boolean {
  if (outputKind(reported.outputId).kind !== 'balance') return false;
  const after = increasedAfter(reported);
  return after === null ? reported.txid === txid : after < height;
}

import type { Cursor, ReorgedOutput, TrackedOutput } from '../../port.ts';
import { accountKey } from '../balance-check/account-flows.ts';
import type { EvmMemory } from '../evm-memory.ts';
import type { EvmNode, EvmReceipt } from '../node/evm-node.ts';
import { outputKind } from './output-id.ts';
import type { PlacedOutput } from './scan-batch.ts';
import { statusesOf, type TransactionStatuses } from './unsettled.ts';

/** Coins sent by contracts whose block was undone. */
export interface ReorgedCoins {
  readonly output: TrackedOutput;
  /** The part of them whose first-seen time no other output has inherited. */
  leftBaseUnits: bigint;
}

/**
 * Blocks for which coins reported as gone may be found again: where only a balance shows them,
 * nothing says whether their transaction is pending. About twenty minutes, as long as a payment
 * waits for coins it has lost.
 */
const LOST_BLOCKS = 100;

/** Coins that are in no block now, or were recently reported as gone; earliest first seen first. */
export function reorgedCoins(memory: EvmMemory): ReorgedCoins[] {
  const { unsettled, chain, reorged } = memory;
  const outputs = [...unsettled.values()].map(({ output }) => output).filter(({ outputId }) => isByContract(outputId));
  const gone = [...reorged.values()].map(({ output }) => output).filter(({ outputId }) => !unsettled.has(outputId));
  const coins = [...outputs, ...gone]
    .filter(({ outputId }) => chain.find(outputId) === null)
    .sort((one, other) => one.firstSeenAt - other.firstSeenAt)
    .map((output): ReorgedCoins => {
      const left = reorged.get(output.outputId)?.leftBaseUnits ?? output.leftBaseUnits ?? output.amountBaseUnits;
      return { output, leftBaseUnits: isSentAgain(memory, output) ? 0n : left };
    });
  for (const { output, gaveBaseUnits } of backAgain(memory)) useUp(coins, output, gaveBaseUnits);
  return coins;
}

/**
 * Subtracts the amount that already inherited a first-seen time from the reorged-out coins of the
 * same account with that time.
 */
export function useUp(coins: readonly ReorgedCoins[], output: TrackedOutput, baseUnits: bigint): void {
  let rest = baseUnits;
  for (const each of coins) {
    if (each.output.firstSeenAt !== output.firstSeenAt || accountKey(each.output) !== accountKey(output)) continue;
    const part = each.leftBaseUnits < rest ? each.leftBaseUnits : rest;
    each.leftBaseUnits -= part;
    rest -= part;
  }
}

/**
 * What happened to the transactions of reorged-out coins up to a block. The node is queried only
 * where an increase without a transaction was found. `receipts`: of blocks that are followed; they
 * take precedence, because a lagging machine may know less now than when they were read.
 */
export async function statusesOfReorged(
  node: EvmNode,
  memory: EvmMemory,
  found: readonly PlacedOutput[],
  end: Cursor,
  receipts: readonly EvmReceipt[] = [],
): Promise<TransactionStatuses> {
  const increased = new Set(found.filter(({ output }) => output.txid === null).map(({ output }) => output.watchKey));
  const named = reorgedCoins(memory).flatMap(({ output }) => {
    return output.txid !== null && increased.has(output.watchKey) ? [output] : [];
  });
  const statuses = await statusesOf(node, named, end);
  const mined = new Map(receipts.flatMap(({ txid, succeeded, height }) => (succeeded ? [[txid, height]] : [])));
  const yetToPayTxids = new Set([...statuses.yetToPayTxids].filter((txid) => !mined.has(txid)));
  const replacedTxids = new Set([...statuses.replacedTxids].filter((txid) => !mined.has(txid)));
  return { replacedTxids, yetToPayTxids, minedAt: new Map([...statuses.minedAt, ...mined]) };
}

/**
 * Runs `report` for outputs that took over first-seen times, then records what is left of the
 * reorged-out coins. What the outputs took is saved before they are reported: of coins that are
 * unsettled with their list, of others by `report`, which gets what is left of them if that
 * differs.
 */
export async function reportThenRememberReorged(
  memory: EvmMemory,
  { found, reorged }: { readonly found: readonly PlacedOutput[]; readonly reorged: readonly ReorgedCoins[] },
  report: (left: readonly ReorgedOutput[] | undefined) => Promise<void>,
): Promise<void> {
  updateLeft(memory, reorged);
  await report(leftOfGone(memory, found, reorged));
  remember(memory, reorged);
}

// Helpers

/**
 * Outputs whose first-seen time was given away while their block was undone, in a poll that failed,
 * and which are in the chain again: the outputs found by that poll no longer exist.
 */
function backAgain({ unsettled, chain }: EvmMemory): { output: TrackedOutput; gaveBaseUnits: bigint }[] {
  return [...unsettled.values()].flatMap(({ output }) => {
    const { amountBaseUnits, leftBaseUnits = amountBaseUnits } = output;
    const isBack = leftBaseUnits < amountBaseUnits && chain.find(output.outputId) !== null;
    return isBack ? [{ output, gaveBaseUnits: amountBaseUnits - leftBaseUnits }] : [];
  });
}

/** Whether another transaction with this nonce is in the chain: a payment gives it that time. */
function isSentAgain({ chain }: EvmMemory, { txid, spends, watchKey }: TrackedOutput): boolean {
  if (txid === null) return false;
  return chain.above(-1).some(({ outputs }) =>
    outputs.some((output) => {
      const isOther = output.txid !== null && output.txid !== txid && output.watchKey === watchKey;
      return isOther && output.spends.some((spend) => spends.includes(spend));
    }),
  );
}

function updateLeft(memory: EvmMemory, reorged: readonly ReorgedCoins[]): void {
  for (const { output, leftBaseUnits } of reorged) {
    const known = memory.unsettled.get(output.outputId);
    if (known === undefined || (known.output.leftBaseUnits ?? output.amountBaseUnits) === leftBaseUnits) continue;
    memory.unsettled.set(output.outputId, { ...known, output: { ...known.output, leftBaseUnits } });
  }
  for (const [outputId, { output, wasReorged }] of memory.unsettled) {
    if (output.leftBaseUnits === undefined || memory.chain.find(outputId) === null) continue;
    // In the chain again: its first-seen time is its own, and was subtracted from the others above.
    const { leftBaseUnits: _, ...whole } = output;
    memory.unsettled.set(outputId, { output: whole, wasReorged });
  }
}

/**
 * `memory.reorged` with what is left now, without coins that were found under their own id: those
 * are no longer gone. Undefined when that changes nothing.
 */
function leftOfGone(
  memory: EvmMemory,
  found: readonly PlacedOutput[],
  reorged: readonly ReorgedCoins[],
): readonly ReorgedOutput[] | undefined {
  const foundIds = new Set(found.map(({ output }) => output.outputId));
  const left = new Map(reorged.map(({ output, leftBaseUnits }) => [output.outputId, leftBaseUnits]));
  const known = [...memory.reorged.values()];
  const now = known
    .filter(({ output }) => !foundIds.has(output.outputId))
    .map((each) => ({ ...each, leftBaseUnits: left.get(each.output.outputId) ?? each.leftBaseUnits }));
  const isSame =
    now.length === known.length && now.every((each, index) => each.leftBaseUnits === known[index]?.leftBaseUnits);
  return isSame ? undefined : now;
}

/**
 * Keeps reorged-out coins while they are unsettled and `LOST_BLOCKS` after they were reported as
 * gone. Coins of which nothing is left stay too, so that their first-seen time is not given out
 * again.
 */
function remember(memory: EvmMemory, left: readonly ReorgedCoins[]): void {
  const { chain, unsettled, reported, reorged } = memory;
  const tipHeight = chain.tip()?.height ?? 0;
  const known = new Map(reorged);
  reorged.clear();
  for (const { output, leftBaseUnits } of left) {
    const { outputId } = output;
    const isUnsettled = unsettled.has(outputId);
    const isFound = chain.find(outputId) !== null || (!isUnsettled && reported.has(outputId));
    const lastHeight = isUnsettled ? tipHeight : (known.get(outputId)?.lastHeight ?? tipHeight);
    if (isFound || lastHeight < tipHeight - LOST_BLOCKS) continue;
    reorged.set(outputId, { output, leftBaseUnits, lastHeight });
  }
}

function isByContract(outputId: string): boolean {
  const { kind } = outputKind(outputId);
  return kind === 'balance' || kind === 'internal';
}

import type { CryptoSymbol, UnixMs } from '../../../../machines/index.ts';
import type { TrackedOutput } from '../../port.ts';
import type { EvmMemory } from '../evm-memory.ts';
import type { EvmBlock, EvmNode } from '../node/evm-node.ts';
import type { ToOutput } from './match-payments.ts';
import { balanceOutputId, internalOutputId, outputKind, partOutputId } from './output-id.ts';
import type { PlacedOutput } from './scan-batch.ts';
import { paidTo, type TracedPayment } from './traced-payments.ts';

/** An increase of an address's balance that no matched transaction of the block explains. */
export interface UnexplainedIncrease {
  readonly watchKey: string;
  readonly baseUnits: bigint;
  /** The coins arrived after this height; negative when unknown. */
  readonly afterHeight: number;
}

export interface ExplainDeps {
  readonly node: EvmNode;
  readonly asset: CryptoSymbol;
  readonly now: UnixMs;
}

/**
 * Outputs for the increases in one block: one per transaction whose contracts sent coins, and one
 * for the rest. They add up to exactly the increase: a trace may show coins the address lost again.
 */
export async function explainIncreases(
  { node, asset, now }: ExplainDeps,
  block: EvmBlock,
  increases: readonly UnexplainedIncrease[],
  toOutput: ToOutput,
): Promise<TrackedOutput[]> {
  const addresses = new Set(increases.map((increase) => increase.watchKey));
  const traced = await node.internalTransfers(addresses, { height: block.height, blockHash: block.hash });
  const outputs: TrackedOutput[] = [];
  for (const { watchKey, baseUnits, afterHeight } of increases) {
    const named = divide(baseUnits, paidTo(watchKey, traced?.transfers ?? [])).flatMap(({ txid, amountBaseUnits }) => {
      const transaction = block.transactions.find((candidate) => candidate.txid === txid);
      const outputId = internalOutputId(txid, watchKey);
      return transaction ? [toOutput(block, transaction, { outputId, watchKey, asset, amountBaseUnits })] : [];
    });
    outputs.push(...named);
    const unnamed = named.reduce((rest, output) => rest - output.amountBaseUnits, baseUnits);
    if (unnamed === 0n) continue;
    outputs.push({
      outputId: balanceOutputId(watchKey, block.height, block.hash),
      txid: null,
      watchKey,
      asset,
      amountBaseUnits: unnamed,
      firstSeenAt: Math.min(block.timeSeconds * 1000, now),
      spends: [increaseAfter(watchKey, afterHeight)],
    });
  }
  return outputs;
}

/**
 * The part of an increase with its own first-seen time. Parts of a divided increase have different
 * `spends`, because outputs with the same one exclude each other.
 */
export function partOfIncrease(
  increase: TrackedOutput,
  { isDivided, ...part }: Pick<TrackedOutput, 'firstSeenAt' | 'amountBaseUnits'> & { readonly isDivided: boolean },
): TrackedOutput {
  const { outputId, firstSeenAt, spends } = increase;
  return {
    ...increase,
    ...part,
    outputId: part.firstSeenAt === firstSeenAt ? outputId : partOutputId(outputId, part.firstSeenAt),
    spends: isDivided ? spends.map((spend) => `${spend}:${part.firstSeenAt}`) : spends,
  };
}

/** The height after which the coins of a balance-only output arrived; null for other outputs. */
export function increasedAfter({ spends }: TrackedOutput): number | null {
  const [, word, height] = spends[0]?.split(':') ?? [];
  return word === 'after' ? Number(height) : null;
}

/** Omits transactions that already have an output in this block: the new surplus is not theirs. */
export function unexplainedTraces(node: EvmNode, memory: EvmMemory, { height }: EvmBlock): EvmNode {
  const outputs = memory.chain.at(height)?.outputs ?? [];
  const known = new Set(outputs.map(({ txid, watchKey }) => `${txid} ${watchKey}`));
  return {
    ...node,
    async internalTransfers(addresses, at) {
      const traced = await node.internalTransfers(addresses, at);
      return traced && { ...traced, transfers: traced.transfers.filter(({ txid, to }) => !known.has(`${txid} ${to}`)) };
    },
  };
}

/** A second increase dated by the same block is added to the output of the first one. */
export function merged(memory: EvmMemory, { height, output }: PlacedOutput): PlacedOutput {
  const before = memory.chain.at(height)?.outputs.find(({ outputId }) => outputId === output.outputId);
  if (before === undefined || outputKind(output.outputId).kind !== 'balance') return { height, output };
  return { height, output: { ...before, amountBaseUnits: before.amountBaseUnits + output.amountBaseUnits } };
}

// Helpers

/** Divides a sum among payments in order; none gets more than its amount. */
function divide(baseUnits: bigint, payments: readonly TracedPayment[]): TracedPayment[] {
  let rest = baseUnits;
  const parts: TracedPayment[] = [];
  for (const { txid, amountBaseUnits } of payments) {
    const part = amountBaseUnits < rest ? amountBaseUnits : rest;
    rest -= part;
    if (part > 0n) parts.push({ txid, amountBaseUnits: part });
  }
  return parts;
}

/** The `spends` entry of an output without a transaction: the balance increase after a height. */
function increaseAfter(address: string, height: number): string {
  return `${address}:after:${height}`;
}

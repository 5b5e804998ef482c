import { randomBytes } from 'node:crypto';
import type { ChainOrder, CryptoSymbol, GoneReason, OutputRecord, UnixMs } from '../../../machines/index.ts';
import type { Observation, OutputStatus } from '../port.ts';

/**
 * A simulated chain for one transaction. It stores nothing: its state is a height and the outputs
 * the transaction already records, so it survives restarts and cannot disagree with the actor.
 */
export interface SimulatedChain {
  readonly network: string;
  readonly watchKey: string;
  readonly asset: CryptoSymbol;
  readonly height: number;
  readonly outputs: readonly OutputRecord[];
}

/** Simulates a customer's payment, which enters the mempool. */
export function pay(chain: SimulatedChain, amountBaseUnits: bigint, now: UnixMs): Observation {
  const txid = randomBytes(32).toString('hex');
  const output = { outputId: `${txid}:0`, txid, amountBaseUnits: amountBaseUnits.toString(), firstSeenAt: now };
  return observe(chain, output, { kind: 'mempool' }, nextOrder(chain));
}

/**
 * Mines all mempool outputs into the next block. Returns that block's height, or the current height
 * if the mempool is empty.
 */
export function mine(chain: SimulatedChain): { observations: Observation[]; height: number } {
  const waiting = chain.outputs.filter((output) => output.presence === 'mempool');
  const height = waiting.length === 0 ? chain.height : chain.height + 1;
  const blockHash = randomBytes(32).toString('hex');
  const status: OutputStatus = { kind: 'block', height, blockHash };
  return {
    height,
    observations: number(chain, waiting).map(([output, order]) => observe(chain, output, status, order)),
  };
}

/** Confirms the outputs that have enough confirmations at the current height. */
export function confirmDeep(chain: SimulatedChain, requiredConfirmations: number): Observation[] {
  const deep = chain.outputs.filter((output) => {
    return (
      output.height !== null && output.confirmedAt === null && depthOf(chain, output.height) >= requiredConfirmations
    );
  });
  return number(chain, deep).map(([output, order]) => observe(chain, output, statusOf(output, 'confirmed'), order));
}

/** Replaces the newest mempool output by a conflicting transaction that pays another address. */
export function doubleSpend(chain: SimulatedChain): Observation[] {
  const newest = chain.outputs.filter((output) => output.presence === 'mempool').at(-1);
  return newest === undefined ? [] : drop(chain, [newest], 'replaced');
}

/** Replaces the newest block with outputs, and all blocks above it, by a branch without them. */
export function reorganise(chain: SimulatedChain): Observation[] {
  const heights = chain.outputs.flatMap((output) => output.height ?? []);
  if (heights.length === 0) return [];
  const newest = Math.max(...heights);
  return drop(
    chain,
    chain.outputs.filter((output) => output.height === newest),
    'reorged',
  );
}

/** The current status of outputs, as a verification reports it: confirmed when deep enough. */
export function verify(
  chain: SimulatedChain,
  outputIds: readonly string[],
  requiredConfirmations: number,
): Observation[] {
  const requested = chain.outputs.filter((output) => outputIds.includes(output.outputId));
  return number(chain, requested).map(([output, order]) => {
    const deep = output.height !== null && depthOf(chain, output.height) >= requiredConfirmations;
    return observe(chain, output, statusOf(output, deep ? 'confirmed' : 'block'), order);
  });
}

// Helpers

type SeenOutput = Pick<OutputRecord, 'outputId' | 'txid' | 'amountBaseUnits' | 'firstSeenAt'>;

function drop(chain: SimulatedChain, outputs: readonly OutputRecord[], reason: GoneReason): Observation[] {
  return number(chain, outputs).map(([output, order]) => observe(chain, output, { kind: 'gone', reason }, order));
}

function observe(chain: SimulatedChain, output: SeenOutput, status: OutputStatus, order: ChainOrder): Observation {
  return {
    network: chain.network,
    outputId: output.outputId,
    txid: output.txid,
    watchKey: chain.watchKey,
    asset: chain.asset,
    amountBaseUnits: BigInt(output.amountBaseUnits),
    order,
    firstSeenAt: output.firstSeenAt,
    status,
  };
}

function statusOf(output: OutputRecord, inBlock: 'block' | 'confirmed'): OutputStatus {
  if (output.presence === 'mempool') return { kind: 'mempool' };
  if (output.presence === 'gone') return { kind: 'gone', reason: output.goneReason ?? 'evicted' };
  return { kind: inBlock, height: output.height ?? 0, blockHash: output.blockHash ?? '' };
}

/** The output's own block counts as the first confirmation. */
function depthOf(chain: SimulatedChain, height: number): number {
  return chain.height - height + 1;
}

function nextOrder(chain: SimulatedChain): ChainOrder {
  return Math.max(0, ...chain.outputs.map((output) => output.order)) + 1;
}

function number<T>(chain: SimulatedChain, outputs: readonly T[]): [T, ChainOrder][] {
  const first = nextOrder(chain);
  return outputs.map((output, index) => [output, first + index]);
}

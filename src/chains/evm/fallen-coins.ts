import type { TrackedOutput } from '../port.ts';
import { accountKey } from './account-flows.ts';
import type { EvmMemory } from './evm-memory.ts';
import type { EvmNode } from './evm-node.ts';
import { isMovedPart, outputKind } from './output-id.ts';
import type { PlacedOutput } from './scan.ts';
import { type Fates, fatesOf } from './unsettled.ts';

/** Coins that contracts sent and that fell out of their block. */
export interface FallenCoins {
  readonly output: TrackedOutput;
  /** How much of them no other output has the first sighting of. */
  leftBaseUnits: bigint;
}

/**
 * Blocks for which coins that are gone may be found again: where only balances show them, nothing
 * says whether their transaction waits. It is twenty minutes, as long as a payment waits for coins
 * it has lost.
 */
const LOST_BLOCKS = 100;

/** Those that are in no block now, also those reported as gone a while ago, in the order of their sightings. */
export function fallenCoins(memory: EvmMemory): FallenCoins[] {
  const { unsettled, chain, fallen } = memory;
  const outputs = [...unsettled.values()].map(({ output }) => output).filter(({ outputId }) => isByContract(outputId));
  const gone = [...fallen.values()].map(({ output }) => output).filter(({ outputId }) => !unsettled.has(outputId));
  const all = [...outputs, ...gone]
    .filter(({ outputId }) => chain.find(outputId) === null)
    .sort((one, other) => one.firstSeenAt - other.firstSeenAt);
  return all.map((output) => {
    const left = fallen.get(output.outputId)?.leftBaseUnits ?? output.leftBaseUnits ?? output.amountBaseUnits;
    if (!isMovedPart(output.outputId) || !chainHasFirst(memory, output)) return { output, leftBaseUnits: left };
    const first = all.filter((other) => isFirstOf(other, output));
    const rest = first.reduce((sum, { amountBaseUnits }) => sum + amountBaseUnits, 0n);
    return { output, leftBaseUnits: left < rest ? left : rest };
  });
}

/**
 * What became of the transactions of fallen coins up to a height. The node is asked only where a
 * rise without a transaction was found.
 */
export async function fatesOfFallen(
  node: EvmNode,
  memory: EvmMemory,
  found: readonly PlacedOutput[],
  endHeight: number,
): Promise<Fates> {
  const risen = new Set(found.filter(({ output }) => output.txid === null).map(({ output }) => output.watchKey));
  const named = fallenCoins(memory).flatMap(({ output }) => {
    return output.txid !== null && risen.has(output.watchKey) ? [output] : [];
  });
  return fatesOf(node, named, endHeight);
}

/**
 * Runs a report of outputs that were given sightings, and then remembers what is left of fallen
 * coins. Also when the report fails after the outputs were saved: the next look finds them with
 * these sightings. For a watcher that dies, the list of unsettled outputs says what is left.
 */
export async function reportThenRememberFallen(
  memory: EvmMemory,
  { found, fallen }: { readonly found: readonly PlacedOutput[]; readonly fallen: readonly FallenCoins[] },
  report: () => Promise<void>,
): Promise<void> {
  noteLeft(memory, fallen);
  try {
    await report();
  } catch (error) {
    if (found.every(({ output }) => memory.savedUnsettledIds.has(output.outputId))) remember(memory, fallen);
    throw error;
  }
  remember(memory, fallen);
}

// Helpers

/**
 * Whether coins whose sighting a moved part has are in their own block again. A look that failed
 * has not noticed it when the chain went back to where it was.
 */
function chainHasFirst({ chain }: EvmMemory, part: TrackedOutput): boolean {
  return chain.above(-1).some(({ outputs }) => outputs.some((output) => isFirstOf(output, part)));
}

/** Whether an output was first seen where it is, at the moment at which the coins of a moved part were. */
function isFirstOf(output: TrackedOutput, part: TrackedOutput): boolean {
  if (output.firstSeenAt !== part.firstSeenAt || accountKey(output) !== accountKey(part)) return false;
  return isByContract(output.outputId) && !isMovedPart(output.outputId);
}

function noteLeft(memory: EvmMemory, fallen: readonly FallenCoins[]): void {
  for (const { output, leftBaseUnits } of fallen) {
    const known = memory.unsettled.get(output.outputId);
    if (known === undefined || (known.output.leftBaseUnits ?? output.amountBaseUnits) === leftBaseUnits) continue;
    memory.unsettled.set(output.outputId, { ...known, output: { ...known.output, leftBaseUnits } });
    // Has the list saved although its ids are the same.
    memory.savedUnsettledIds = new Set();
  }
}

/**
 * As long as fallen coins may be found, and for some blocks after they were reported as gone. Those
 * that nothing is left of stay as well, so that none gives its sighting again.
 */
function remember(memory: EvmMemory, left: readonly FallenCoins[]): void {
  const { chain, unsettled, reported, fallen } = memory;
  const tipHeight = chain.tip()?.height ?? 0;
  const known = new Map(fallen);
  fallen.clear();
  for (const { output, leftBaseUnits } of left) {
    const { outputId } = output;
    const isUnsettled = unsettled.has(outputId);
    const isFound = chain.find(outputId) !== null || (!isUnsettled && reported.has(outputId));
    const lastHeight = isUnsettled ? tipHeight : (known.get(outputId)?.lastHeight ?? tipHeight);
    if (isFound || lastHeight < tipHeight - LOST_BLOCKS) continue;
    fallen.set(outputId, { output, leftBaseUnits, lastHeight });
  }
}

function isByContract(outputId: string): boolean {
  const { kind } = outputKind(outputId);
  return kind === 'balance' || kind === 'internal';
}

import type { TrackedOutput } from '../port.ts';
import { accountKey } from './account-flows.ts';
import type { EvmMemory } from './evm-memory.ts';
import type { EvmNode } from './evm-node.ts';
import { outputKind } from './output-id.ts';
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
  const coins = [...outputs, ...gone]
    .filter(({ outputId }) => chain.find(outputId) === null)
    .sort((one, other) => one.firstSeenAt - other.firstSeenAt)
    .map((output): FallenCoins => {
      const left = fallen.get(output.outputId)?.leftBaseUnits ?? output.leftBaseUnits ?? output.amountBaseUnits;
      return { output, leftBaseUnits: isSentAgain(memory, output) ? 0n : left };
    });
  for (const { output, gaveBaseUnits } of backAgain(memory)) useUp(coins, output, gaveBaseUnits);
  return coins;
}

/** Uses up so much of a sighting that others have of these coins: fallen coins of its account that were first seen with it. */
export function useUp(coins: readonly FallenCoins[], output: TrackedOutput, baseUnits: bigint): void {
  let rest = baseUnits;
  for (const each of coins) {
    if (each.output.firstSeenAt !== output.firstSeenAt || accountKey(each.output) !== accountKey(output)) continue;
    const part = each.leftBaseUnits < rest ? each.leftBaseUnits : rest;
    each.leftBaseUnits -= part;
    rest -= part;
  }
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
 * Outputs in the chain that gave their sighting away in a look that failed, when they had fallen:
 * the chain went back to where it was, and has nothing of what that look found.
 */
function backAgain({ unsettled, chain }: EvmMemory): { output: TrackedOutput; gaveBaseUnits: bigint }[] {
  return [...unsettled.values()].flatMap(({ output }) => {
    const { amountBaseUnits, leftBaseUnits = amountBaseUnits } = output;
    const isBack = leftBaseUnits < amountBaseUnits && chain.find(output.outputId) !== null;
    return isBack ? [{ output, gaveBaseUnits: amountBaseUnits - leftBaseUnits }] : [];
  });
}

/** Whether another transaction that used the same nonce is in the chain: a payment gives that one the sighting. */
function isSentAgain({ chain }: EvmMemory, { txid, spends, watchKey }: TrackedOutput): boolean {
  if (txid === null) return false;
  return chain.above(-1).some(({ outputs }) =>
    outputs.some((output) => {
      const isOther = output.txid !== null && output.txid !== txid && output.watchKey === watchKey;
      return isOther && output.spends.some((spend) => spends.includes(spend));
    }),
  );
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

import type { UnixMs } from '../../../machines/index.ts';
import type { TrackedOutput } from '../port.ts';
import type { EvmMemory } from './evm-memory.ts';
import type { EvmNode } from './evm-node.ts';
import { outputKind } from './output-id.ts';
import type { PlacedOutput } from './scan.ts';
import { partOfRise } from './traced.ts';
import { yetToPay } from './unsettled.ts';

/** Gives coins that contracts sent the first sighting of those that fell out of a block. */
export interface Sightings {
  /**
   * All outputs of a look, with an earlier sighting where they stand for coins seen before: not
   * those of transactions that have yet to pay.
   */
  keep(found: readonly PlacedOutput[], yetToPayTxids: ReadonlySet<string>): PlacedOutput[];
  /** The fallen outputs, each with what no other stands for so far, which may be nothing. */
  left(): FallenCoins[];
}

export interface FallenCoins {
  readonly output: TrackedOutput;
  readonly leftBaseUnits: bigint;
}

/**
 * Blocks for which coins that are gone may be found again: where only balances show them, nothing
 * says whether their transaction waits. It is twenty minutes, as long as a payment waits for coins
 * it has lost.
 */
const LOST_BLOCKS = 100;

/**
 * Nothing names such coins, so the amount tells which ones they are: one sum that is equal, else
 * one that covers it. What fits best is given first, so that no output takes the sighting of
 * another that was only read later. Where no single one fits, what only a balance shows is divided:
 * as much as fell keeps the sightings of that, the earliest first, and what is more is new money. So
 * as much is in time as was in time before, whatever comes with it. A transaction is not divided:
 * it was first seen with the last of what covers it. No coin gives its sighting twice.
 */
export function createSightings(memory: EvmMemory): Sightings {
  const fallen: Fallen[] = fallenCoins(memory)
    .map((output) => ({ output, left: memory.fallen.get(output.outputId)?.leftBaseUnits ?? output.amountBaseUnits }))
    .sort((one, other) => one.output.firstSeenAt - other.output.firstSeenAt);

  return {
    keep(found, yetToPayTxids) {
      const risen = found.map(({ height, output }): Risen & { height: number } => {
        return { height, output, rest: output.amountBaseUnits, parts: [] };
      });
      for (const sourcesOf of FITS) {
        for (const each of risen.filter(({ rest }) => rest > 0n)) {
          const candidates = fallen.filter(({ output, left }) => {
            const hasPaid = output.txid === null || !yetToPayTxids.has(output.txid);
            return left > 0n && hasPaid && mayBe(each.output, output);
          });
          for (const source of sourcesOf(each, candidates)) take(each, source);
        }
      }
      return risen.flatMap(({ height, ...each }) => outputsOf(each).map((output) => ({ height, output })));
    },
    left: () => fallen.map(({ output, left }) => ({ output, leftBaseUnits: left })),
  };
}

/**
 * Transactions whose coins cannot be what balances show up to a height, because they wait for a
 * block or are in a later one. The node is asked only where a rise without a transaction was found.
 */
export async function yetToPayIn(
  node: EvmNode,
  memory: EvmMemory,
  found: readonly PlacedOutput[],
  endHeight: number,
): Promise<ReadonlySet<string>> {
  const risen = new Set(found.filter(({ output }) => output.txid === null).map(({ output }) => output.watchKey));
  const named = fallenCoins(memory).filter(({ txid, watchKey }) => txid !== null && risen.has(watchKey));
  return named.length === 0 ? new Set() : yetToPay(node, named, endHeight);
}

/**
 * Runs a report of outputs that were given sightings, and then remembers what is left of fallen
 * coins. Also when the report fails after the outputs were saved: the next look finds them with
 * these sightings.
 */
export async function reportThenRememberFallen(
  memory: EvmMemory,
  { found, fallen }: { readonly found: readonly PlacedOutput[]; readonly fallen: readonly FallenCoins[] },
  report: () => Promise<void>,
): Promise<void> {
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

interface Fallen {
  readonly output: TrackedOutput;
  left: bigint;
}

/** An output that was found, the parts of it that fell before, and how much is left. */
interface Risen {
  readonly output: TrackedOutput;
  rest: bigint;
  readonly parts: Part[];
}

interface Part {
  readonly baseUnits: bigint;
  readonly firstSeenAt: UnixMs;
}

/** Coins that contracts sent and that are in no block, also those reported as gone a while ago. */
function fallenCoins({ unsettled, chain, fallen }: EvmMemory): TrackedOutput[] {
  const outputs = [...unsettled.values()].map(({ output }) => output).filter(({ outputId }) => isByContract(outputId));
  const gone = [...fallen.values()].map(({ output }) => output).filter(({ outputId }) => !unsettled.has(outputId));
  return [...outputs, ...gone].filter(({ outputId }) => chain.find(outputId) === null);
}

function isByContract(outputId: string): boolean {
  const { kind } = outputKind(outputId);
  return kind === 'balance' || kind === 'internal';
}

/** What another transaction brought is other money, unless nothing names one of the two. */
function mayBe(output: TrackedOutput, fallen: TrackedOutput): boolean {
  if (output.watchKey !== fallen.watchKey) return false;
  return output.txid === null || fallen.txid === null || output.txid === fallen.txid;
}

/** Which fallen coins a risen sum is taken from, the best fit first. */
const FITS: readonly ((risen: Risen, fallen: readonly Fallen[]) => readonly Fallen[])[] = [
  (risen, fallen) => fallen.filter((each) => isSameOutput(each, risen) && each.left === risen.rest).slice(0, 1),
  ({ rest }, fallen) => fallen.filter(({ left }) => left === rest).slice(0, 1),
  (risen, fallen) => fallen.filter((each) => isSameOutput(each, risen) && each.left > risen.rest).slice(0, 1),
  ({ rest }, fallen) => fallen.filter(({ left }) => left > rest).slice(0, 1),
  ({ output, rest }, fallen) => {
    const isDivisible = output.txid === null;
    return isDivisible || fallen.reduce((sum, { left }) => sum + left, 0n) >= rest ? fallen : [];
  },
];

function isSameOutput(one: Fallen, other: Risen): boolean {
  return one.output.outputId === other.output.outputId;
}

function take(risen: Risen, source: Fallen): void {
  const baseUnits = source.left < risen.rest ? source.left : risen.rest;
  if (baseUnits === 0n) return;
  risen.parts.push({ baseUnits, firstSeenAt: Math.min(source.output.firstSeenAt, risen.output.firstSeenAt) });
  source.left -= baseUnits;
  risen.rest -= baseUnits;
}

function outputsOf({ output, rest, parts }: Risen): TrackedOutput[] {
  const all = rest === 0n ? parts : [...parts, { baseUnits: rest, firstSeenAt: output.firstSeenAt }];
  const sums = new Map<UnixMs, bigint>();
  for (const { firstSeenAt, baseUnits } of all) sums.set(firstSeenAt, (sums.get(firstSeenAt) ?? 0n) + baseUnits);
  const last = Math.max(...sums.keys());
  if (sums.size === 1 || output.txid !== null) return [{ ...output, firstSeenAt: last }];
  return [...sums].map(([firstSeenAt, amountBaseUnits]) => partOfRise(output, { firstSeenAt, amountBaseUnits }));
}

import type { UnixMs } from '../../../machines/index.ts';
import type { TrackedOutput } from '../port.ts';
import type { EvmMemory } from './evm-memory.ts';
import { type FallenCoins, fallenCoins, useUp } from './fallen-coins.ts';
import { isOfRise } from './output-id.ts';
import type { PlacedOutput } from './scan.ts';
import { partOfRise, roseAfter } from './traced.ts';
import type { Fates } from './unsettled.ts';

/** Gives coins that contracts sent the first sighting of those that fell out of a block. */
export interface Sightings {
  /** All outputs of a look, with an earlier sighting where they stand for coins seen before. */
  keep(found: readonly PlacedOutput[], fates: Fates): PlacedOutput[];
  /** The fallen outputs, each with what no other stands for so far, which may be nothing. */
  left(): FallenCoins[];
}

/**
 * What is in its own block again, as its name or the time of the block says, has its own sighting. For the rest nothing names the coins, so the
 * amount tells which ones they are: one sum that is equal, else one that covers it. What fits best
 * is given first, so that no output takes the sighting of another that was only read later. Where no
 * single one fits, what only a balance shows is divided: as much as fell keeps the sightings of
 * that, the earliest first, and what is more is new money. So as much is in time as was in time
 * before, whatever comes with it. A transaction is not divided: it was first seen with the last of
 * what covers it. No coin gives its sighting twice.
 */
export function createSightings(memory: EvmMemory): Sightings {
  const fallen = fallenCoins(memory);
  return {
    keep(found, fates) {
      const risen = found.map(({ height, output }): Risen => {
        return { height, output, rest: output.amountBaseUnits, parts: [] };
      });
      for (const each of risen) restore(each, fallen);
      for (const sourcesOf of FITS) {
        for (const each of risen.filter(({ rest }) => rest > 0n)) {
          const candidates = fallen.filter((coins) => coins.leftBaseUnits > 0n && mayBe(each, coins.output, fates));
          for (const source of sourcesOf(each, candidates)) take(each, source);
        }
      }
      return risen.flatMap((each) => outputsOf(each).map((output) => ({ height: each.height, output })));
    },
    left: () => fallen,
  };
}

// Helpers

/** An output that was found, the parts of it that fell before, and how much is left. */
interface Risen extends PlacedOutput {
  rest: bigint;
  readonly parts: Part[];
}

interface Part {
  readonly baseUnits: bigint;
  readonly firstSeenAt: UnixMs;
}

/** Gives an output that is in its own block again what it was, whoever was given its sighting meanwhile. */
function restore(risen: Risen, fallen: readonly FallenCoins[]): void {
  const own = fallen.filter(({ output }) => isOfRise(output.outputId, risen.output.outputId));
  for (const source of own) {
    const { firstSeenAt, amountBaseUnits } = source.output;
    const baseUnits = min(amountBaseUnits, risen.rest);
    if (baseUnits === 0n) continue;
    risen.parts.push({ baseUnits, firstSeenAt });
    risen.rest -= baseUnits;
    const part = min(source.leftBaseUnits, baseUnits);
    source.leftBaseUnits -= part;
    const others = fallen.filter((other) => !own.includes(other));
    useUp(others, source.output, baseUnits - part);
  }
}

/**
 * What another transaction brought is other money, unless nothing names one of the two. A named one
 * is what a balance shows in the block of its receipt, or never when it is in none; what replaced it
 * may be the same money sent again.
 */
function mayBe({ height, output }: Risen, fallen: TrackedOutput, { minedAt, replacedTxids }: Fates): boolean {
  if (output.watchKey !== fallen.watchKey) return false;
  if (fallen.txid === null || output.txid === fallen.txid) return true;
  if (output.txid !== null) return false;
  if (replacedTxids.has(fallen.txid)) return true;
  const minedHeight = minedAt.get(fallen.txid) ?? Number.POSITIVE_INFINITY;
  return minedHeight <= height && minedHeight > (roseAfter(output) ?? -1);
}

/** Which fallen coins a risen sum is taken from, the best fit first. */
const FITS: readonly ((risen: Risen, fallen: readonly FallenCoins[]) => readonly FallenCoins[])[] = [
  // In its own block again, under another name.
  (risen, fallen) => fallen.filter(({ output }) => output.firstSeenAt === risen.output.firstSeenAt),
  ({ rest }, fallen) => fallen.filter(({ leftBaseUnits }) => leftBaseUnits === rest).slice(0, 1),
  ({ rest }, fallen) => fallen.filter(({ leftBaseUnits }) => leftBaseUnits > rest).slice(0, 1),
  ({ output, rest }, fallen) => {
    const isDivisible = output.txid === null;
    return isDivisible || fallen.reduce((sum, { leftBaseUnits }) => sum + leftBaseUnits, 0n) >= rest ? fallen : [];
  },
];

function take(risen: Risen, source: FallenCoins): void {
  const baseUnits = min(source.leftBaseUnits, risen.rest);
  if (baseUnits === 0n) return;
  risen.parts.push({ baseUnits, firstSeenAt: source.output.firstSeenAt });
  source.leftBaseUnits -= baseUnits;
  risen.rest -= baseUnits;
}

/** One output for each time at which a part of the rise was first seen. */
function outputsOf({ output, rest, parts }: Risen): TrackedOutput[] {
  const all = rest === 0n ? parts : [...parts, { baseUnits: rest, firstSeenAt: output.firstSeenAt }];
  const sums = new Map<UnixMs, bigint>();
  for (const { firstSeenAt, baseUnits } of all) sums.set(firstSeenAt, (sums.get(firstSeenAt) ?? 0n) + baseUnits);
  if (output.txid !== null) return [{ ...output, firstSeenAt: Math.max(...sums.keys()) }];
  const isDivided = sums.size > 1;
  return [...sums].map(([firstSeenAt, amountBaseUnits]) => {
    return partOfRise(output, { firstSeenAt, amountBaseUnits, isDivided });
  });
}

function min(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

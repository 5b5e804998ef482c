import type { UnixMs } from '../../../../machines/index.ts';
import type { TrackedOutput } from '../../port.ts';
import type { EvmMemory } from '../evm-memory.ts';
import { increasedAfter, partOfIncrease } from './explain-increases.ts';
import { isOfIncrease } from './output-id.ts';
import { type ReorgedCoins, reorgedCoins, useUp } from './reorged-coins.ts';
import type { PlacedOutput } from './scan-batch.ts';
import type { TransactionStatuses } from './unsettled.ts';

/** Gives coins sent by contracts the first-seen time they had before a reorganisation. */
export interface FirstSeenTimes {
  /** All outputs of a poll, with an earlier first-seen time where they replace known coins. */
  keep(found: readonly PlacedOutput[], statuses: TransactionStatuses): PlacedOutput[];
  /** The reorged-out outputs with the amount that no other output replaces yet; may be zero. */
  left(): ReorgedCoins[];
}

/**
 * An output that is in its own block again, as its id or block time shows, gets its own first-seen
 * time back, and so do coins whose transaction was mined again. Nothing identifies other coins, so
 * they are matched by amount: an equal one first, else one that covers it. The best fits are
 * assigned first, so that no output takes the time of another that is only processed later.
 *
 * Where no single amount fits, a balance-only output is divided: the reorged-out amounts keep their
 * times, earliest first, and the excess is new money. So as much counts as paid in time as before
 * the reorganisation, regardless of what arrives with it. A transaction is not divided: it gets the
 * latest time among the coins that cover it. No coins give their time twice.
 */
export function createFirstSeenTimes(memory: EvmMemory): FirstSeenTimes {
  const reorged = reorgedCoins(memory);
  return {
    keep(found, statuses) {
      const divided = found.map(({ height, output }): DividedOutput => {
        return { height, output, rest: output.amountBaseUnits, parts: [] };
      });
      for (const each of divided) restore(each, reorged);
      for (const each of divided) {
        for (const coins of reorged) if (isMinedAgainIn(each, coins.output, statuses)) take(each, coins);
      }
      for (const sourcesOf of FITS) {
        for (const each of divided.filter(({ rest }) => rest > 0n)) {
          const candidates = reorged.filter((coins) => coins.leftBaseUnits > 0n && mayBe(each, coins.output, statuses));
          for (const source of sourcesOf(each, candidates)) take(each, source);
        }
      }
      return divided.flatMap((each) => outputsOf(each).map((output) => ({ height: each.height, output })));
    },
    left: () => reorged,
  };
}

// Helpers

/** An output that was found, the parts of it that were reorged out before, and the rest. */
interface DividedOutput extends PlacedOutput {
  rest: bigint;
  readonly parts: Part[];
}

interface Part {
  readonly baseUnits: bigint;
  readonly firstSeenAt: UnixMs;
}

/**
 * Restores the first-seen time of an output back in its own block, even if another output has it.
 */
function restore(divided: DividedOutput, reorged: readonly ReorgedCoins[]): void {
  const own = reorged.filter(({ output }) => isOfIncrease(output.outputId, divided.output.outputId));
  for (const source of own) {
    const { firstSeenAt, amountBaseUnits } = source.output;
    const baseUnits = min(amountBaseUnits, divided.rest);
    if (baseUnits === 0n) continue;
    divided.parts.push({ baseUnits, firstSeenAt });
    divided.rest -= baseUnits;
    const part = min(source.leftBaseUnits, baseUnits);
    source.leftBaseUnits -= part;
    const others = reorged.filter((other) => !own.includes(other));
    useUp(others, source.output, baseUnits - part);
  }
}

/**
 * Coins of different transactions are different money; where one has no txid, they may be the same.
 * Reorged-out coins with a txid match a balance-only increase only if their transaction was mined
 * again in the blocks of the increase, or another one used its nonce and may send the money again.
 */
function mayBe(divided: DividedOutput, reorged: TrackedOutput, statuses: TransactionStatuses): boolean {
  const { output } = divided;
  if (output.watchKey !== reorged.watchKey) return false;
  if (reorged.txid === null || isMinedAgainIn(divided, reorged, statuses)) return true;
  return output.txid === null && statuses.replacedTxids.has(reorged.txid);
}

/**
 * Whether an output contains reorged-out coins for certain, because their transaction is its own or
 * was mined in the blocks of its increase. If coins without a txid took its place there, nothing
 * would be left for these, and they may be the ones of another block.
 */
function isMinedAgainIn(
  { height, output }: DividedOutput,
  { watchKey, txid }: TrackedOutput,
  { minedAt }: TransactionStatuses,
): boolean {
  if (txid === null || output.watchKey !== watchKey) return false;
  if (output.txid !== null) return output.txid === txid;
  const minedHeight = minedAt.get(txid) ?? Number.POSITIVE_INFINITY;
  return minedHeight <= height && minedHeight > (increasedAfter(output) ?? -1);
}

/** Which reorged-out coins an increase is matched with, best fit first. */
const FITS: readonly ((divided: DividedOutput, reorged: readonly ReorgedCoins[]) => readonly ReorgedCoins[])[] = [
  // In its own block again, under another id.
  (divided, reorged) => reorged.filter(({ output }) => output.firstSeenAt === divided.output.firstSeenAt),
  ({ rest }, reorged) => reorged.filter(({ leftBaseUnits }) => leftBaseUnits === rest).slice(0, 1),
  ({ rest }, reorged) => reorged.filter(({ leftBaseUnits }) => leftBaseUnits > rest).slice(0, 1),
  ({ output, rest }, reorged) => {
    const isDivisible = output.txid === null;
    return isDivisible || reorged.reduce((sum, { leftBaseUnits }) => sum + leftBaseUnits, 0n) >= rest ? reorged : [];
  },
];

function take(divided: DividedOutput, source: ReorgedCoins): void {
  const baseUnits = min(source.leftBaseUnits, divided.rest);
  if (baseUnits === 0n) return;
  divided.parts.push({ baseUnits, firstSeenAt: source.output.firstSeenAt });
  source.leftBaseUnits -= baseUnits;
  divided.rest -= baseUnits;
}

/** One output for each first-seen time of the parts. */
function outputsOf({ output, rest, parts }: DividedOutput): TrackedOutput[] {
  const all = rest === 0n ? parts : [...parts, { baseUnits: rest, firstSeenAt: output.firstSeenAt }];
  const sums = new Map<UnixMs, bigint>();
  for (const { firstSeenAt, baseUnits } of all) sums.set(firstSeenAt, (sums.get(firstSeenAt) ?? 0n) + baseUnits);
  if (output.txid !== null) return [{ ...output, firstSeenAt: Math.max(...sums.keys()) }];
  const isDivided = sums.size > 1;
  return [...sums].map(([firstSeenAt, amountBaseUnits]) => {
    return partOfIncrease(output, { firstSeenAt, amountBaseUnits, isDivided });
  });
}

function min(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

import type { Finding } from '../following/reporter.ts';
import type { TrackedOutput } from '../port.ts';
import type { EvmMemory } from './evm-memory.ts';
import { outputKind } from './output-id.ts';

/** Gives coins that contracts sent the first sighting of those that fell out of a block. */
export interface Sightings {
  /** The output, with an earlier sighting if it stands for coins that were seen before. */
  keep(output: TrackedOutput): TrackedOutput;
  /** The fallen outputs, each with what no other stands for so far. */
  left(): TrackedOutput[];
}

/**
 * Blocks for which coins may be found again that only a balance showed: nothing says whether their
 * transaction waits. It is twenty minutes, as long as a payment waits for coins it has lost.
 */
const LOST_BLOCKS = 100;

/**
 * Nothing names such coins, so the amount tells which ones they are: one sum that is equal, else
 * one that covers it, else all of an address together, which were first seen with the last of them.
 * What is more than fell is new money: a small sum that came in time must not keep the rate open
 * for a large one. No coin gives its sighting twice.
 */
export function createSightings(memory: EvmMemory): Sightings {
  const fallen: Fallen[] = [...memory.unsettled.values()]
    .map(({ output }) => output)
    .filter(({ outputId }) => isByContract(outputId) && memory.chain.find(outputId) === null)
    .concat(memory.lostRises)
    .map((output) => ({ output, left: output.amountBaseUnits }))
    .sort((one, other) => one.output.firstSeenAt - other.output.firstSeenAt);

  return {
    keep(output) {
      const candidates = fallen.filter((each) => mayBe(output, each.output) && each.left > 0n);
      let rest = output.amountBaseUnits;
      let { firstSeenAt } = output;
      for (const source of sourcesOf(output, candidates)) {
        const part = source.left < rest ? source.left : rest;
        if (part > 0n) firstSeenAt = Math.min(source.output.firstSeenAt, output.firstSeenAt);
        source.left -= part;
        rest -= part;
      }
      return { ...output, firstSeenAt };
    },
    left: () => fallen.flatMap(({ output, left }) => (left === 0n ? [] : [{ ...output, amountBaseUnits: left }])),
  };
}

/**
 * Remembers what is left of outputs of a balance that are gone, whether they went now or before.
 */
export function rememberLostRises(
  memory: EvmMemory,
  left: readonly TrackedOutput[],
  findings: readonly Finding[] = [],
): void {
  const lost = new Set(memory.lostRises.map(({ outputId }) => outputId));
  for (const { output, standing } of findings) if (standing.kind === 'gone') lost.add(output.outputId);
  const oldest = (memory.chain.tip()?.height ?? 0) - LOST_BLOCKS;
  memory.lostRises = left.filter(({ outputId }) => {
    const kind = outputKind(outputId);
    return kind.kind === 'balance' && kind.height >= oldest && lost.has(outputId);
  });
}

// Helpers

interface Fallen {
  readonly output: TrackedOutput;
  left: bigint;
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

function sourcesOf({ amountBaseUnits }: TrackedOutput, fallen: readonly Fallen[]): readonly Fallen[] {
  const one = fallen.find(({ left }) => left === amountBaseUnits) ?? fallen.find(({ left }) => left > amountBaseUnits);
  if (one !== undefined) return [one];
  return fallen.reduce((sum, { left }) => sum + left, 0n) >= amountBaseUnits ? fallen : [];
}

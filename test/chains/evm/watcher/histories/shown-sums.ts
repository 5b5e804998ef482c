import type { OutputRecord } from '../../../../../machines/index.ts';
import type { OutputEvent } from '../../../../../machines/transaction/events.ts';
import { liveOutputs, recordOutput } from '../../../../../machines/transaction/outputs.ts';
import { sumBaseUnits } from '../../../../../machines/vocabulary/amount.ts';
import type { Account, Observation } from '../../../../../src/chains/index.ts';
import { chainEventCommand } from '../../../../../src/payments/watching/chain-events.ts';

/** Anything that keeps what a watcher reported. */
interface Observed {
  readonly sink: { readonly observations: readonly Observation[] };
}

/** The sum that an account's payment shows after each observation, as its chart counts. */
export function shownSums(at: Observed, account: Account): bigint[] {
  return fold(observed(at, account)).sums;
}

/** The highest sum it shows in any order in which the observations may be processed. */
export function mostShown(at: Observed, account: Account): bigint {
  const sums = permutations(observed(at, account)).flatMap((each) => fold(each).sums);
  return sums.reduce((most, sum) => (sum > most ? sum : most), 0n);
}

/** The outputs that count in the end. */
export function liveRecords(at: Observed, account: Account): OutputRecord[] {
  return liveOutputs(fold(observed(at, account)).outputs);
}

// Helpers

function observed({ sink }: Observed, { watchKey, asset }: Account): Observation[] {
  return sink.observations.filter((each) => each.watchKey === watchKey && each.asset === asset);
}

function fold(observations: readonly Observation[]) {
  let outputs: readonly OutputRecord[] = [];
  const sums: bigint[] = [];
  for (const observation of observations) {
    const { event } = chainEventCommand('transaction', observation);
    outputs = recordOutput(outputs, { ...event, at: observation.firstSeenAt } as unknown as OutputEvent, true);
    sums.push(sumBaseUnits(liveOutputs(outputs)));
  }
  return { outputs, sums };
}

function permutations<T>(all: readonly T[]): T[][] {
  if (all.length <= 1) return [[...all]];
  return all.flatMap((one, index) => permutations(all.toSpliced(index, 1)).map((others) => [one, ...others]));
}

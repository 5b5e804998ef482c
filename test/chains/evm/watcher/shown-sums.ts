import type { OutputRecord } from '../../../../machines/index.ts';
import { liveOutputs, type OutputEvent, recordOutput } from '../../../../machines/transaction/outputs.ts';
import { sumBaseUnits } from '../../../../machines/transaction/sums.ts';
import type { Account } from '../../../../src/chains/index.ts';
import { chainEventCommand } from '../../../../src/payments/chain-events.ts';
import type { EvmHarness } from './harness.ts';

/** What the payment of an account shows after each observation, as its chart counts them. */
export function shownSums(at: EvmHarness, account: Account): bigint[] {
  const { sums } = fold(at, account);
  return sums;
}

/** The outputs that count at the end. */
export function liveRecords(at: EvmHarness, account: Account): OutputRecord[] {
  return liveOutputs(fold(at, account).outputs);
}

// Helpers

function fold(at: EvmHarness, { watchKey, asset }: Account) {
  let outputs: readonly OutputRecord[] = [];
  const sums: bigint[] = [];
  for (const observation of at.sink.observations) {
    if (observation.watchKey !== watchKey || observation.asset !== asset) continue;
    const { event } = chainEventCommand('transaction', observation);
    outputs = recordOutput(outputs, { ...event, at: observation.firstSeenAt } as unknown as OutputEvent, true);
    sums.push(sumBaseUnits(liveOutputs(outputs)));
  }
  return { outputs, sums };
}

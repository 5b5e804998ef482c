import type { ReorgedOutput, TrackedOutput } from '../../chains/index.ts';

/** JSON has no bigint. */
export type StoredOutput = Omit<TrackedOutput, 'amountBaseUnits' | 'leftBaseUnits'> & {
  readonly amountBaseUnits: string;
  readonly leftBaseUnits?: string;
};

export function toStored(output: TrackedOutput): StoredOutput {
  const { amountBaseUnits, leftBaseUnits: left, ...rest } = output;
  const more = left === undefined ? {} : { leftBaseUnits: left.toString() };
  return { ...rest, amountBaseUnits: amountBaseUnits.toString(), ...more };
}

export function toTracked(output: StoredOutput): TrackedOutput {
  const { amountBaseUnits, leftBaseUnits: left, ...rest } = output;
  return {
    ...rest,
    amountBaseUnits: BigInt(amountBaseUnits),
    ...(left === undefined ? {} : { leftBaseUnits: BigInt(left) }),
  };
}

export interface StoredReorged {
  readonly output: StoredOutput;
  readonly leftBaseUnits: string;
  readonly lastHeight: number;
}

function toStoredReorged({ output, leftBaseUnits, lastHeight }: ReorgedOutput): StoredReorged {
  return { output: toStored(output), leftBaseUnits: leftBaseUnits.toString(), lastHeight };
}

export function toReorged({ output, leftBaseUnits, lastHeight }: StoredReorged): ReorgedOutput {
  return { output: toTracked(output), leftBaseUnits: BigInt(leftBaseUnits), lastHeight };
}

export function reorgedColumn(reorged: readonly ReorgedOutput[] | undefined): { readonly reorged?: string } {
  return reorged === undefined ? {} : { reorged: JSON.stringify(reorged.map(toStoredReorged)) };
}

import type { FallenOutput, TrackedOutput } from '../../chains/index.ts';

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

export interface StoredFallen {
  readonly output: StoredOutput;
  readonly leftBaseUnits: string;
  readonly lastHeight: number;
}

function toStoredFallen({ output, leftBaseUnits, lastHeight }: FallenOutput): StoredFallen {
  return { output: toStored(output), leftBaseUnits: leftBaseUnits.toString(), lastHeight };
}

export function toFallen({ output, leftBaseUnits, lastHeight }: StoredFallen): FallenOutput {
  return { output: toTracked(output), leftBaseUnits: BigInt(leftBaseUnits), lastHeight };
}

export function fallenColumn(fallen: readonly FallenOutput[] | undefined): { readonly fallen?: string } {
  return fallen === undefined ? {} : { fallen: JSON.stringify(fallen.map(toStoredFallen)) };
}

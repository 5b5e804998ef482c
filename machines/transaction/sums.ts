import type { BaseUnitsString } from '../vocabulary/amount.ts';

/** Sum of the amounts, in base units. */
export function sumBaseUnits(outputs: readonly { readonly amountBaseUnits: BaseUnitsString }[]): bigint {
  return outputs.reduce((sum, output) => sum + BigInt(output.amountBaseUnits), 0n);
}

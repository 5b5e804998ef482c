import type { Account, AccountChange, BalanceDrop } from '../port.ts';
import { type AccountFlows, createAccountFlows } from './account-flows.ts';
import type { ReadPart } from './read-part.ts';
import type { PlacedOutput } from './scan.ts';

/**
 * What accounts gained and lost of the chain's coin, by height: what transactions moved in the new blocks, what only balances
 * or traces show, and drops. Saved with the blocks, so that the expected balance of every watched account can follow the
 * chain, reorganisations included, without being read from it.
 */
export function coinFlows(
  part: ReadPart,
  moved: readonly AccountFlows[],
  found: readonly PlacedOutput[],
  drops: readonly BalanceDrop[],
  isCounted: (account: Account) => boolean,
): ReadonlyMap<number, readonly AccountChange[]> {
  const flows = new Map<number, AccountFlows>();
  const at = (height: number): AccountFlows => {
    const known = flows.get(height) ?? createAccountFlows();
    flows.set(height, known);
    return known;
  };
  for (const [place, { height }] of part.blocks.entries()) {
    for (const change of moved[place]?.changes() ?? []) at(height).add(change, change.baseUnits);
  }
  for (const { height, output } of found) at(height).add(output, output.amountBaseUnits);
  for (const drop of drops) at(drop.height).add(drop, -drop.missingBaseUnits);
  return new Map([...flows].map(([height, each]) => [height, each.changes().filter(isCounted)]));
}

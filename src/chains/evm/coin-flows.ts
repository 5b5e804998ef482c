import type { Account, AccountChange } from '../port.ts';
import { type AccountFlows, createAccountFlows } from './account-flows.ts';
import type { ReadPart } from './read-part.ts';
import type { PlacedOutput } from './scan.ts';
import type { Sweep } from './sweep.ts';

/**
 * What accounts gained and lost of the chain's coin, by height: what transactions moved in the new
 * blocks, what only balances or traces show, and drops. Saved with the blocks, so that the expected
 * balance of every watched account can follow the chain, reorganisations included, without being
 * read from it. When an account starts with another balance than the followed one, the difference
 * is a flow too: of the block `beginsAt` when it is more, of the last block when it is less. So a
 * reorganisation in between expects too much, which is corrected, and never too little, which would
 * be a payment.
 */
export function coinFlows(
  part: ReadPart,
  beginsAt: number,
  moved: readonly AccountFlows[],
  found: readonly PlacedOutput[],
  { drops, settled, followed }: Pick<Sweep, 'drops' | 'settled' | 'followed'>,
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
  for (const { account, baseUnits } of settled) {
    const known = followed(account);
    if (known === null) continue;
    const sum = [...flows.values()].reduce((total, each) => total + each.of(account), known);
    const difference = baseUnits - sum;
    at(difference > 0n ? beginsAt : part.end.height).add(account, difference);
  }
  return new Map([...flows].map(([height, each]) => [height, each.changes().filter(isCounted)]));
}

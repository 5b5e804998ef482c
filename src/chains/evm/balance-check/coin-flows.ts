import type { Account, AccountChange } from '../../port.ts';
import type { ReadPart } from '../outputs/read-part.ts';
import type { PlacedOutput } from '../outputs/scan.ts';
import { type AccountFlows, createAccountFlows } from './account-flows.ts';
import type { BalanceCheck } from './check-balances.ts';

/**
 * Native coin flows of accounts by height: transactions in the new blocks, increases seen only in
 * balances or traces, and balance drops. Saved with the blocks, so that expected balances follow
 * the chain through reorganisations without being read from it.
 *
 * When an account starts with another balance than its flows give, the difference is a flow too: at
 * `beginsAt` if positive, at the last block if negative. A reorganisation in between then leaves
 * the expected balance too high, which is corrected, and never too low, which would look like a
 * payment.
 */
export function coinFlows(
  part: ReadPart,
  beginsAt: number,
  moved: readonly AccountFlows[],
  found: readonly PlacedOutput[],
  { drops, settled, followed }: Pick<BalanceCheck, 'drops' | 'settled' | 'followed'>,
  isCounted: (account: Account) => boolean,
): ReadonlyMap<number, readonly AccountChange[]> {
  const flows = new Map<number, AccountFlows>();
  const at = (height: number): AccountFlows => {
    const known = flows.get(height) ?? createAccountFlows();
    flows.set(height, known);
    return known;
  };
  for (const [index, { height }] of part.blocks.entries()) {
    for (const change of moved[index]?.changes() ?? []) at(height).add(change, change.baseUnits);
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

import type { Account, AccountChange } from '../../port.ts';
import type { BlockBatch } from '../outputs/read-batch.ts';
import type { PlacedOutput } from '../outputs/scan-batch.ts';
import { type AccountFlows, createAccountFlows } from './account-flows.ts';
import type { BalanceCheck } from './check-balances.ts';

export interface CoinFlowsInput {
  readonly batch: BlockBatch;
  readonly beginsAt: number;
  /** Flows of transactions and logs in each new block, in block order. */
  readonly moved: readonly AccountFlows[];
  /** Coins seen only in balances or traces. */
  readonly found: readonly PlacedOutput[];
  readonly check: Pick<BalanceCheck, 'drops' | 'settled' | 'followed'>;
  readonly isCounted: (account: Account) => boolean;
}

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
export function coinFlows(input: CoinFlowsInput): ReadonlyMap<number, readonly AccountChange[]> {
  const { batch, beginsAt, moved, found, isCounted } = input;
  const { drops, settled, followed } = input.check;
  const flows = new Map<number, AccountFlows>();
  const at = (height: number): AccountFlows => {
    const known = flows.get(height) ?? createAccountFlows();
    flows.set(height, known);
    return known;
  };
  for (const [index, { height }] of batch.blocks.entries()) {
    for (const change of moved[index]?.changes() ?? []) at(height).add(change, change.baseUnits);
  }
  for (const { height, output } of found) at(height).add(output, output.amountBaseUnits);
  for (const drop of drops) at(drop.height).add(drop, -drop.missingBaseUnits);
  for (const { account, baseUnits } of settled) {
    const known = followed(account);
    if (known === null) continue;
    const sum = [...flows.values()].reduce((total, each) => total + each.of(account), known);
    const difference = baseUnits - sum;
    at(difference > 0n ? beginsAt : batch.end.height).add(account, difference);
  }
  return new Map([...flows].map(([height, each]) => [height, each.changes().filter(isCounted)]));
}

import type { CryptoSymbol } from '../../../../machines/index.ts';
import type { Account, Cursor } from '../../port.ts';
import type { Disagreement, EvmMemory } from '../evm-memory.ts';
import type { EvmNode } from '../node/evm-node.ts';
import { accountKey } from './account-flows.ts';
import { readableBalances } from './readable-balances.ts';

export interface ConfirmedBalancesRequest<T extends Account> {
  /** The chain's native coin. Tokens are credited by logs, so their balances are read once. */
  readonly asset: CryptoSymbol;
  readonly accounts: readonly T[];
  readonly block: Cursor;
  /** Null when it is unknown. */
  expectedOf(account: T): bigint | null;
}

/**
 * Balances as `readableBalances` returns them. Native ones that are not as expected are read again,
 * from another endpoint if possible: one wrong response must neither create a payment nor change an
 * expected balance. Null where the two differ, as if unread; `memory.disagreements` has them.
 */
export async function confirmedBalances<T extends Account>(
  node: EvmNode,
  { disagreements }: EvmMemory,
  { asset, accounts, block, expectedOf }: ConfirmedBalancesRequest<T>,
): Promise<(bigint | null)[] | null> {
  const read = await readableBalances(node, accounts, block);
  if (read === null) return null;
  const isOther = (account: T, index: number) => account.asset === asset && read[index] !== expectedOf(account);
  const doubted = accounts.filter(isOther);
  const second = await readAgain(node, doubted, block);
  return accounts.map((account, index) => {
    const balance = read[index] ?? null;
    const again = doubted.includes(account) ? (second?.[doubted.indexOf(account)] ?? null) : balance;
    if (balance === again || balance === null) {
      disagreements.delete(accountKey(account));
      return balance;
    }
    const { watchKey } = account;
    disagreements.set(accountKey(account), { watchKey, asset, height: block.height, baseUnits: [balance, again] });
    return null;
  });
}

/**
 * Balances that both endpoints return, in two attempts: one wrong response delays nothing. Null
 * where they still differ, or without the state of that block.
 */
export async function agreedBalances(
  node: EvmNode,
  accounts: readonly Account[],
  block: Cursor,
): Promise<readonly (bigint | null)[]> {
  const [first, other] = [await readableBalances(node, accounts, block), await readAgain(node, accounts, block)];
  if (first === null || other === null) return accounts.map(() => null);
  if (first.every((balance, index) => balance === other[index])) return first;
  const [again, otherAgain] = [await readableBalances(node, accounts, block), await readAgain(node, accounts, block)];
  return accounts.map((_, index) => {
    const others = [other[index], otherAgain?.[index]];
    return [first[index], again?.[index]].find((balance) => others.includes(balance ?? undefined)) ?? null;
  });
}

export function disagreementWarning({ watchKey, asset, height, baseUnits: [one, other] }: Disagreement): string {
  return (
    `Two responses about the ${asset} balance of ${watchKey} in block ${height} differ (${one} and ${other ?? 'none'}). ` +
    'Until they agree, coins that contracts send there are not reported and, while its payment is open, payment windows ' +
    'of this network are held open. Compare the nodes.'
  );
}

/** From another endpoint if one has the state of that block, else once more from the same. */
export async function readAgain(
  node: EvmNode,
  accounts: readonly Account[],
  block: Cursor,
): Promise<readonly bigint[] | null> {
  if (accounts.length === 0) return [];
  return (await node.second.balances(accounts, block)) ?? node.balances(accounts, block);
}

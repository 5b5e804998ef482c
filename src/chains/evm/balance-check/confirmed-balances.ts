import { type CryptoSymbol, MINUTE_MS, type UnixMs } from '../../../../machines/index.ts';
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
  readonly now: UnixMs;
  /** Whether the accounts are those of open payments. */
  readonly areOpen: boolean;
  /** Null when it is unknown. */
  expectedOf(account: T): bigint | null;
  /** Coins may be dated by an earlier block than theirs, which a reorganisation has undone. */
  readonly mayExpectTooMuch?: boolean;
}

/** How long a balance is not believed that fell although its address has sent nothing. */
export const UNSENT_PATIENCE_MS = 10 * MINUTE_MS;

/**
 * Balances as `readableBalances` returns them. Native ones that are not as expected are read again,
 * from another endpoint if possible: one wrong response must neither create a payment nor change an
 * expected balance. Null, as if unread, while `memory.disagreements` has the account:
 *
 * - the two differ. If they came from two endpoints, only two endpoints can end it; or
 * - the balance is lower although the address has sent nothing by its nonce: then the coins are
 *   still there. It is believed after `UNSENT_PATIENCE_MS`, because the higher one may have been
 *   wrong.
 */
export async function confirmedBalances<T extends Account>(
  node: EvmNode,
  { disagreements }: Pick<EvmMemory, 'disagreements'>,
  { asset, accounts, block, now, areOpen, expectedOf, mayExpectTooMuch = false }: ConfirmedBalancesRequest<T>,
): Promise<(bigint | null)[] | null> {
  const read = await readableBalances(node, accounts, block);
  if (read === null) return null;
  const balances = new Map(accounts.map((account, index) => [account, read[index] ?? null]));
  const balanceOf = (account: T) => balances.get(account) ?? null;
  const doubted = accounts.filter((account) => account.asset === asset && balanceOf(account) !== expectedOf(account));
  const again = await readAgain(node, doubted, block);
  const confirmed = doubted.filter((account, index) => {
    const isKept = disagreements.get(accountKey(account))?.isOfTwoEndpoints === true && !again.isOther;
    return !isKept && balanceOf(account) === (again.balances?.[index] ?? null);
  });
  const unsent = await unsentDecreases(node, confirmed, block, (account) => {
    return !mayExpectTooMuch && (balanceOf(account) ?? 0n) < (expectedOf(account) ?? 0n);
  });
  return accounts.map((account) => {
    const key = accountKey(account);
    const balance = balanceOf(account);
    const known = disagreements.get(key);
    const unsentSince = unsent.has(account) ? (known?.unsentSince ?? now) : null;
    const isBelieved = unsentSince === null || now - unsentSince >= UNSENT_PATIENCE_MS;
    if (balance === null || !doubted.includes(account) || (confirmed.includes(account) && isBelieved)) {
      disagreements.delete(key);
      return balance;
    }
    const { watchKey } = account;
    const disagreement = { watchKey, asset, isOpen: areOpen, height: block.height, unsentSince };
    const isOfTwoEndpoints = unsentSince === null && (again.isOther || known?.isOfTwoEndpoints === true);
    const other = unsentSince === null ? (again.balances?.[doubted.indexOf(account)] ?? null) : expectedOf(account);
    // Of a disagreement that one endpoint cannot end, the two responses stay.
    const baseUnits = balance === other && known !== undefined ? known.baseUnits : ([balance, other] as const);
    disagreements.set(key, { ...disagreement, isOfTwoEndpoints, baseUnits });
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
  const first = await readableBalances(node, accounts, block);
  const { balances: other } = await readAgain(node, accounts, block);
  if (first === null || other === null) return accounts.map(() => null);
  if (first.every((balance, index) => balance === other[index])) return first;
  const again = await readableBalances(node, accounts, block);
  const { balances: otherAgain } = await readAgain(node, accounts, block);
  return accounts.map((_, index) => {
    const others = [other[index], otherAgain?.[index]];
    return [first[index], again?.[index]].find((balance) => others.includes(balance ?? undefined)) ?? null;
  });
}

export interface SecondReading {
  readonly balances: readonly bigint[] | null;
  /** Whether another endpoint returned them. */
  readonly isOther: boolean;
}

/** From another endpoint if one has the state of that block, else once more from the same. */
export async function readAgain(node: EvmNode, accounts: readonly Account[], block: Cursor): Promise<SecondReading> {
  if (accounts.length === 0) return { balances: [], isOther: false };
  const other = await node.second.balances(accounts, block);
  if (other !== null) return { balances: other, isOther: true };
  return { balances: await node.balances(accounts, block), isOther: false };
}

export function disagreementWarning({ watchKey, asset, height, unsentSince, baseUnits }: Disagreement): string {
  const [one, other] = baseUnits;
  const problem =
    unsentSince === null
      ? `Two responses about the ${asset} balance of ${watchKey} in block ${height} differ (${one} and ${other ?? 'none'}). Until they agree`
      : `The ${asset} balance of ${watchKey} in block ${height} is ${one} instead of ${other}, although the address has sent nothing. ` +
        `Until it is right, or for ${UNSENT_PATIENCE_MS / MINUTE_MS} minutes`;
  return (
    `${problem}, coins that contracts send there are not reported and, while its payment is open, payment windows ` +
    'of this network are held open. Compare the nodes.'
  );
}

// Helpers

/** Accounts with less than expected whose address has sent nothing as of the block. */
async function unsentDecreases<T extends Account>(
  node: EvmNode,
  accounts: readonly T[],
  block: Cursor,
  hasLess: (account: T) => boolean,
): Promise<ReadonlySet<T>> {
  const lowered = accounts.filter(hasLess);
  if (lowered.length === 0) return new Set();
  const addresses = lowered.map(({ watchKey }) => watchKey);
  const nonces = await node.nonces(addresses, block);
  return new Set(lowered.filter((_, index) => nonces?.[index] === 0));
}

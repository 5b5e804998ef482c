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
  /** Whether a fall below the expected balance is a drop; otherwise too much may be expected. */
  readonly areFollowed: boolean;
  /** Null when it is unknown. */
  expectedOf(account: T): bigint | null;
}

/** How long a balance is not believed that fell although its address has sent nothing. */
export const UNSENT_GRACE_MS = 10 * MINUTE_MS;

/**
 * Balances as `readableBalances` returns them. Native ones that are not as expected are read again,
 * from another endpoint if possible: one wrong response must neither create a payment nor change an
 * expected balance. Null, as if unread, while `memory.disagreements` has the account:
 *
 * - the two differ. If they came from two endpoints, only two endpoints can end it; or
 * - the balance is lower although the address has sent nothing by its nonce: then the coins are
 *   still there. It counts after `UNSENT_GRACE_MS`, because the higher one may have been wrong, and
 *   is a drop if it fell while it was followed.
 */
export async function confirmedBalances<T extends Account>(
  node: EvmNode,
  { disagreements }: Pick<EvmMemory, 'disagreements'>,
  { asset, accounts, block, now, areOpen, areFollowed, expectedOf }: ConfirmedBalancesRequest<T>,
): Promise<(bigint | null)[] | null> {
  const read = await readableBalances(node, accounts, block);
  if (read === null) return null;
  const balances = new Map(accounts.map((account, index) => [account, read[index] ?? null]));
  const balanceOf = (account: T) => balances.get(account) ?? null;
  const isOfTwo = (account: T) => disagreements.get(accountKey(account))?.isOfTwoEndpoints === true;
  const doubted = accounts.filter((account) => {
    return account.asset === asset && (balanceOf(account) !== expectedOf(account) || isOfTwo(account));
  });
  const again = await readAgain(node, doubted, block);
  const confirmed = doubted.filter((account, index) => {
    return (again.isOther || !isOfTwo(account)) && balanceOf(account) === (again.balances?.[index] ?? null);
  });
  const unsent = await unsentDecreases(node, confirmed, block, (account) => {
    return (balanceOf(account) ?? 0n) < (expectedOf(account) ?? 0n);
  });
  return accounts.map((account) => {
    const key = accountKey(account);
    const balance = balanceOf(account);
    const known = disagreements.get(key);
    const isConfirmed = balance === null || !doubted.includes(account) || confirmed.includes(account);
    if (isConfirmed && !unsent.has(account)) {
      // An earlier block says nothing about a later one.
      if (known !== undefined && known.height <= block.height) disagreements.delete(key);
      return balance;
    }
    const { watchKey } = account;
    const disagreement = { watchKey, asset, isOpen: areOpen, height: block.height };
    if (unsent.has(account)) {
      const fall = known?.fall ?? { since: now, isDrop: areFollowed };
      disagreements.set(key, {
        ...disagreement,
        fall,
        isOfTwoEndpoints: false,
        baseUnits: [balance ?? 0n, expectedOf(account)],
      });
      // Kept until the lower balance is saved. The comparison that followed it reports a drop.
      const isOver = now - fall.since >= UNSENT_GRACE_MS && (areFollowed || !fall.isDrop);
      return isOver ? balance : null;
    }
    const other = again.balances?.[doubted.indexOf(account)] ?? null;
    disagreements.set(key, {
      ...disagreement,
      fall: null,
      isOfTwoEndpoints: again.isOther || known?.isOfTwoEndpoints === true,
      // While one endpoint only repeats itself, the two responses stay.
      baseUnits: balance === other && known !== undefined ? known.baseUnits : [balance ?? 0n, other],
    });
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

export function disagreementWarning({ watchKey, asset, height, fall, baseUnits }: Disagreement): string {
  const [one, other] = baseUnits;
  const problem =
    fall === null
      ? `Two responses about the ${asset} balance of ${watchKey} in block ${height} differ (${one} and ${other ?? 'none'}). Until they agree`
      : `The ${asset} balance of ${watchKey} in block ${height} is ${one} instead of ${other}, although the address has sent nothing. ` +
        `Until it is right, or for ${UNSENT_GRACE_MS / MINUTE_MS} minutes`;
  return (
    `${problem}, coins that contracts send there are not reported and, while its payment is open, payment windows ` +
    'of this network are held open. Compare the nodes; if one was removed since, restart the watcher.'
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

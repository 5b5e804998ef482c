import type { CryptoSymbol } from '../../../machines/index.ts';
import { loadMemory } from '../following/memory.ts';
import type { OpenAccount, WatcherStore } from '../port.ts';
import { accountKey } from './account-flows.ts';
import type { EvmMemory } from './evm-memory.ts';
import type { EvmNode } from './evm-node.ts';
import type { FollowedBalances } from './followed-balances.ts';
import { readableBalances } from './readable-balances.ts';
import { STORED_BLOCKS } from './record.ts';

/** What open accounts should hold at the remembered tip, before a part is added. */
export interface BaseBalances {
  /** Null when it cannot be known. */
  of(account: OpenAccount): bigint | null;
  /**
   * Accounts opened again whose balance could not be read: coins that are missing may have left
   * before.
   */
  readonly openedUnread: ReadonlySet<OpenAccount>;
}

export interface BaseDeps {
  readonly node: EvmNode;
  readonly store: WatcherStore;
  readonly asset: CryptoSymbol;
}

/**
 * As a rule that is what was saved with the tip. It is read from the chain instead:
 *
 * - *for an account opened since the last save.* When that save asked for the open accounts, it had
 *   fetched the tip already and this account was not among them. So the tip was mined before the
 *   address was handed out, and what it held then belongs to no payment. A token account that was
 *   open before, closed and opened again is new in this sense.
 * - *for the chain's own coin, after a start and when an account is opened again.* Its expected
 *   balance was followed meanwhile and not compared, so it may hold more, which is a payment. If it
 *   holds less, that was no loss of an open payment.
 * - *for all after a reorganisation.* The saved balance belongs to an undone block. For the chain's
 *   own coin the saved balance minus the flows of the undone blocks is what the account should hold
 *   at the fork; a surplus is a payment.
 *
 * Where the state is gone, a vetted account to which nothing was seen coming was empty, an account
 * that was saved before this process began is believed, and of all others nothing is known.
 */
export async function baseBalances(
  { node, store, asset }: BaseDeps,
  memory: EvmMemory,
  accounts: readonly OpenAccount[],
  height: number,
  followed: FollowedBalances,
): Promise<BaseBalances> {
  const { knownOpen, staleAbove } = memory;
  const hasStaleBalances = staleAbove !== null;
  const isSaved = (account: OpenAccount) => {
    const isWorthReading = account.asset === asset || knownOpen !== null;
    return account.expectedBaseUnits !== null && (!isWorthReading || knownOpen?.has(accountKey(account)) === true);
  };
  const unread = accounts.filter((account) => hasStaleBalances || !isSaved(account));
  const read = await readableBalances(node, unread, height);
  const bases = new Map(accounts.map((account) => [accountKey(account), account.expectedBaseUnits]));
  const needsVetting = read === null && unread.some(({ expectedBaseUnits }) => expectedBaseUnits === null);
  const isOpenedAgain = (account: OpenAccount) => knownOpen !== null && !knownOpen.has(accountKey(account));
  const paid = needsVetting ? await paidAccounts(store) : new Set<string>();
  const isFollowed = !hasStaleBalances || (read !== null && height === staleAbove);
  for (const [index, account] of unread.entries()) {
    const believed = isFollowed ? followed(account) : null;
    const isUnused = account.expectedBaseUnits === null && account.wasVetted && !paid.has(accountKey(account));
    const isEmpty = !hasStaleBalances && isUnused;
    const real = read?.[index] ?? null;
    const isExact = real !== null && (believed === null || real <= believed);
    bases.set(accountKey(account), isExact ? real : (believed ?? (isEmpty ? 0n : null)));
    if (isExact) memory.exactAt.set(accountKey(account), height);
    else memory.exactAt.delete(accountKey(account));
  }
  return {
    of: (account) => bases.get(accountKey(account)) ?? null,
    openedUnread: new Set(
      unread.filter((account, index) => isOpenedAgain(account) && (read?.[index] ?? null) === null),
    ),
  };
}

// Helpers

/** Accounts that were paid in any block of the store. */
async function paidAccounts(store: WatcherStore): Promise<Set<string>> {
  const { chain } = await loadMemory(store, STORED_BLOCKS);
  return new Set(chain.above(-1).flatMap(({ outputs }) => outputs.map(accountKey)));
}

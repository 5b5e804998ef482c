import type { CryptoSymbol } from '../../../../machines/index.ts';
import type { Cursor, OpenAccount, WatcherStore } from '../../port.ts';
import { loadMemory, STORED_BLOCKS } from '../../sync/memory.ts';
import type { EvmMemory } from '../evm-memory.ts';
import type { EvmNode } from '../node/evm-node.ts';
import { accountKey } from './account-flows.ts';
import type { FollowedBalances } from './followed-balances.ts';
import { readableBalances } from './readable-balances.ts';

/** Expected balances of open accounts at the tip in memory, before a batch is added. */
export interface BaseBalances {
  /** Null when it is unknown. */
  of(account: OpenAccount): bigint | null;
  /** Reopened accounts whose balance could not be read: missing coins may have left before. */
  readonly openedUnread: ReadonlySet<OpenAccount>;
}

export interface BaseDeps {
  readonly node: EvmNode;
  readonly store: WatcherStore;
  readonly asset: CryptoSymbol;
}

/**
 * Usually the balance saved with the tip. It is read from the chain instead:
 *
 * - *for an account opened since the last save.* That save fetched the tip before it queried the
 *   open accounts, and this account was not among them. So the tip was mined before the address was
 *   issued, and its balance then belongs to no payment. A token account that was closed and
 *   reopened counts as new here.
 * - *for the native coin, after a start and when an account is reopened.* Its expected balance was
 *   updated from flows but not compared. A surplus is a payment; a deficit is not a loss of an open
 *   payment.
 * - *for all accounts after a reorganisation.* The saved balance belongs to an undone block. For
 *   the native coin, the saved balance minus the flows of the undone blocks is the expected balance
 *   at the fork; a surplus is a payment.
 *
 * Where the node no longer has the state, a vetted account that no stored block paid is taken to be
 * empty, an account saved before this process started keeps its saved balance, and all others are
 * unknown.
 */
export async function baseBalances(
  { node, store, asset }: BaseDeps,
  memory: EvmMemory,
  accounts: readonly OpenAccount[],
  block: Cursor,
  followed: FollowedBalances,
): Promise<BaseBalances> {
  const { knownOpen, staleAbove } = memory;
  const hasStaleBalances = staleAbove !== null;
  const isSaved = (account: OpenAccount) => {
    const isWorthReading = account.asset === asset || knownOpen !== null;
    return account.expectedBaseUnits !== null && (!isWorthReading || knownOpen?.has(accountKey(account)) === true);
  };
  const unread = accounts.filter((account) => hasStaleBalances || !isSaved(account));
  const read = await readableBalances(node, unread, block);
  const bases = new Map(accounts.map((account) => [accountKey(account), account.expectedBaseUnits]));
  const needsVetting = read === null && unread.some(({ expectedBaseUnits }) => expectedBaseUnits === null);
  const isOpenedAgain = (account: OpenAccount) => knownOpen !== null && !knownOpen.has(accountKey(account));
  const paid = needsVetting ? await paidAccounts(store) : new Set<string>();
  const isFollowed = !hasStaleBalances || (read !== null && block.height === staleAbove);
  for (const [index, account] of unread.entries()) {
    const believed = isFollowed ? followed(account) : null;
    const isUnused = account.expectedBaseUnits === null && account.wasVetted && !paid.has(accountKey(account));
    const isEmpty = !hasStaleBalances && isUnused;
    const real = read?.[index] ?? null;
    const isExact = real !== null && (believed === null || real <= believed);
    bases.set(accountKey(account), isExact ? real : (believed ?? (isEmpty ? 0n : null)));
    if (isExact) memory.exactAt.set(accountKey(account), block.height);
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

/** Accounts that were paid in any stored block. */
async function paidAccounts(store: WatcherStore): Promise<Set<string>> {
  const { chain } = await loadMemory(store, STORED_BLOCKS);
  return new Set(chain.above(-1).flatMap(({ outputs }) => outputs.map(accountKey)));
}

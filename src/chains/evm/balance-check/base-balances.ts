import type { CryptoSymbol, UnixMs } from '../../../../machines/index.ts';
import type { Cursor, OpenAccount, WatcherStore } from '../../port.ts';
import { loadMemory, STORED_BLOCKS } from '../../sync/memory.ts';
import type { EvmMemory } from '../evm-memory.ts';
import type { EvmNode } from '../node/evm-node.ts';
import { timeOf } from '../node/time-of.ts';
import { accountKey } from './account-flows.ts';
import { confirmedBalances } from './confirmed-balances.ts';
import type { FollowedBalances } from './readable-balances.ts';

/** Expected balances of open accounts at the tip in memory, before a batch is added. */
export interface BaseBalances {
  /** Null when it is unknown. */
  of(account: OpenAccount): bigint | null;
  /**
   * Reopened accounts whose balance could not be read, and those whose lower balance is not
   * believed yet but no drop: missing coins may have left before.
   */
  readonly openedUnread: ReadonlySet<OpenAccount>;
  /** Accounts of unknown balance about which two responses disagree: they are read again. */
  readonly disputed: ReadonlySet<OpenAccount>;
}

export interface BaseDeps {
  readonly node: EvmNode;
  readonly store: WatcherStore;
  readonly asset: CryptoSymbol;
  readonly now: UnixMs;
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
 * Where the node no longer has the state, a vetted account is taken to be empty if all blocks since
 * it was assigned are stored and none of them paid it, an account saved before this process started
 * keeps its saved balance, and all others are unknown.
 */
export async function baseBalances(
  deps: BaseDeps,
  memory: EvmMemory,
  accounts: readonly OpenAccount[],
  block: Cursor,
  followed: FollowedBalances,
): Promise<BaseBalances> {
  const { node, store, asset, now } = deps;
  const { knownOpen, staleAbove } = memory;
  const hasStaleBalances = staleAbove !== null;
  const isSaved = (account: OpenAccount) => {
    const isWorthReading = account.asset === asset || knownOpen !== null;
    return account.expectedBaseUnits !== null && (!isWorthReading || knownOpen?.has(accountKey(account)) === true);
  };
  const unread = accounts.filter((account) => hasStaleBalances || !isSaved(account));
  const isFollowedFrom = (hasState: boolean) => !hasStaleBalances || (hasState && block.height === staleAbove);
  // A new account is expected to be empty if its address was found unused.
  const unused = ({ emptyUntil, expectedBaseUnits }: OpenAccount) =>
    emptyUntil !== null && expectedBaseUnits === null ? 0n : null;
  const expectedOf = (account: OpenAccount) => (isFollowedFrom(true) ? followed(account) : null) ?? unused(account);
  const read = await confirmedBalances(node, memory, {
    asset,
    accounts: unread,
    block,
    now,
    areOpen: true,
    areFollowed: false,
    expectedOf,
  });
  const bases = new Map(accounts.map((account) => [accountKey(account), account.expectedBaseUnits]));
  // Nothing is known of a token whose contract is silent.
  const mayBeEmpty = ({ asset: own, expectedBaseUnits }: OpenAccount, index: number) =>
    expectedBaseUnits === null && (read === null || (own === asset && read[index] === null));
  const isOpenedAgain = (account: OpenAccount) => knownOpen !== null && !knownOpen.has(accountKey(account));
  // After a reorganisation stored blocks may be of another branch; no account is taken to be empty.
  const needsVetting = !hasStaleBalances && unread.some(mayBeEmpty);
  const stored = needsVetting ? await readStored(node, store, memory) : null;
  const isFollowed = isFollowedFrom(read !== null);
  for (const [index, account] of unread.entries()) {
    const believed = isFollowed ? followed(account) : null;
    const isEmpty = mayBeEmpty(account, index) && stored?.hasNoPaymentOf(account) === true;
    const real = read?.[index] ?? null;
    const isExact = real !== null && (believed === null || real <= believed);
    bases.set(accountKey(account), isExact ? real : (believed ?? (isEmpty ? 0n : null)));
    if (isExact) memory.exactAt.set(accountKey(account), block.height);
    else memory.exactAt.delete(accountKey(account));
  }
  return {
    of: (account) => bases.get(accountKey(account)) ?? null,
    openedUnread: new Set(
      unread.filter((account, index) => {
        const fall = memory.disagreements.get(accountKey(account))?.fall ?? null;
        return (read?.[index] ?? null) === null && (fall === null ? isOpenedAgain(account) : !fall.isDrop);
      }),
    ),
    disputed: new Set(
      unread.filter((account) => {
        return bases.get(accountKey(account)) === null && memory.disagreements.has(accountKey(account));
      }),
    ),
  };
}

// Helpers

interface StoredPayments {
  /** Whether no block since the account was assigned has paid it, as far as outputs show. */
  hasNoPaymentOf(account: OpenAccount): boolean;
}

/**
 * An account assigned before the oldest stored block may have coins that no stored block shows:
 * scanning began later, or their block is no longer stored. Taken to be empty, it would be credited
 * with them as an increase of its balance, besides by their transaction.
 */
async function readStored(node: EvmNode, store: WatcherStore, memory: EvmMemory): Promise<StoredPayments> {
  const { chain } = await loadMemory(store, STORED_BLOCKS);
  const oldest = chain.oldest() ?? memory.chain.oldest();
  const completeSince = oldest === null ? null : await timeOf(node, oldest);
  const paid = new Set(chain.above(-1).flatMap(({ outputs }) => outputs.map(accountKey)));
  return {
    hasNoPaymentOf({ emptyUntil, ...account }) {
      const isComplete = emptyUntil !== null && completeSince !== null && emptyUntil >= completeSince;
      return isComplete && !paid.has(accountKey(account));
    },
  };
}

import type { CryptoSymbol } from '../../../machines/index.ts';
import { loadMemory } from '../following/memory.ts';
import type { OpenAccount, WatcherStore } from '../port.ts';
import { type AccountFlows, accountKey, createAccountFlows } from './account-flows.ts';
import type { EvmMemory } from './evm-memory.ts';
import type { EvmNode } from './evm-node.ts';
import { readableBalances } from './readable-balances.ts';
import { STORED_BLOCKS } from './record.ts';

/** What open accounts should hold at the remembered tip, before a part is added; null when nobody can know. */
export type BaseBalances = ReadonlyMap<string, bigint | null>;

export interface BaseDeps {
  readonly node: EvmNode;
  readonly store: WatcherStore;
  readonly asset: CryptoSymbol;
}

/**
 * As a rule that is what was saved with the tip. It is read from the chain instead:
 *
 * - *for an account opened since the last save.* When that save asked for the open accounts, it had fetched the tip already
 *   and this account was not among them. So the tip was mined before the address was handed out, and what it held then
 *   belongs to no payment. A token account that was open before, closed and opened again is new in this sense.
 * - *for the chain's own coin, after a start and when an account is opened again.* Its expected balance was followed meanwhile
 *   and not compared, so it may hold more, which is a payment. If it holds less, that was no loss of an open payment.
 * - *for all after a reorganisation.* What is saved belongs to a stale block. An account of the chain's own coin that is opened
 *   again holds what is saved without what the stale blocks moved, and may hold more, as above.
 *
 * Where the state is gone, a vetted account to which nothing was seen coming was empty, an account that was saved before this
 * process began is believed, and of all others nothing is known.
 */
export async function baseBalances(
  { node, store, asset }: BaseDeps,
  memory: EvmMemory,
  accounts: readonly OpenAccount[],
  height: number,
): Promise<BaseBalances> {
  const { knownOpen, hasStaleBalances } = memory;
  const wasOpen = (account: OpenAccount) => knownOpen?.has(accountKey(account)) === true;
  const isUnsure = (account: OpenAccount) => {
    return account.asset === asset && account.expectedBaseUnits !== null && !wasOpen(account);
  };
  const isNew = (account: OpenAccount) =>
    account.expectedBaseUnits === null || (knownOpen !== null && !wasOpen(account) && !isUnsure(account));
  const unread = accounts.filter((account) => hasStaleBalances || isNew(account) || isUnsure(account));
  const read = await readableBalances(node, unread, height);
  const bases = new Map(accounts.map((account) => [accountKey(account), account.expectedBaseUnits]));
  const needsVetting = read === null && unread.some(({ expectedBaseUnits }) => expectedBaseUnits === null);
  const paid = needsVetting ? await paidAccounts(store) : new Set<string>();
  const sinceSave =
    hasStaleBalances && read !== null && unread.some(isUnsure) ? await flowsSinceSave(store, memory) : null;
  const believedOf = (account: OpenAccount): bigint | null => {
    if (!isUnsure(account) || account.expectedBaseUnits === null) return null;
    if (!hasStaleBalances) return account.expectedBaseUnits;
    return sinceSave === null ? null : account.expectedBaseUnits + sinceSave.of(account);
  };
  for (const [index, account] of unread.entries()) {
    const believed = believedOf(account);
    const isUnused = account.expectedBaseUnits === null && account.wasVetted && !paid.has(accountKey(account));
    const isEmpty = !hasStaleBalances && isUnused;
    const real = read?.[index] ?? null;
    const isExact = real !== null && (believed === null || real <= believed);
    bases.set(accountKey(account), isExact ? real : (believed ?? (isEmpty ? 0n : null)));
    if (isExact) memory.exactAt.set(accountKey(account), height);
    else memory.exactAt.delete(accountKey(account));
  }
  return bases;
}

// Helpers

/**
 * What moved between the saved cursor and the remembered tip: back over the saved blocks that are stale now, and on over
 * those that are remembered and not saved. Null when the store does not reach down to where they part.
 */
async function flowsSinceSave(store: WatcherStore, { chain, savedHeight }: EvmMemory): Promise<AccountFlows | null> {
  const cursor = await store.loadCursor();
  const stale = cursor === null ? [] : await store.loadRecentBlocks(Math.max(0, cursor.height - savedHeight));
  if (cursor === null || stale.length < cursor.height - savedHeight) return null;
  const moved = createAccountFlows();
  for (const { flows = [] } of stale) for (const flow of flows) moved.add(flow, -flow.baseUnits);
  for (const { flows = [] } of chain.above(savedHeight)) for (const flow of flows) moved.add(flow, flow.baseUnits);
  return moved;
}

/** Accounts that were paid in any block of the store. */
async function paidAccounts(store: WatcherStore): Promise<Set<string>> {
  const { chain } = await loadMemory(store, STORED_BLOCKS);
  return new Set(chain.above(-1).flatMap(({ outputs }) => outputs.map(accountKey)));
}

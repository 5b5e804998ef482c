import type { CryptoSymbol } from '../../../../machines/index.ts';
import type { BalanceDrop, Cursor, ExpectedBalance, OpenAccount } from '../../port.ts';
import type { EvmMemory } from '../evm-memory.ts';
import type { EvmBlock, EvmNode } from '../node/evm-node.ts';
import { type ExplainDeps, explainIncreases, merged, unexplainedTraces } from '../outputs/explain-increases.ts';
import { createFirstSeenTimes } from '../outputs/first-seen-times.ts';
import type { ToOutput } from '../outputs/match-payments.ts';
import { type BlockBatch, followedReceipts } from '../outputs/read-batch.ts';
import { type ReorgedCoins, statusesOfReorged } from '../outputs/reorged-coins.ts';
import type { PlacedOutput, Scan } from '../outputs/scan-batch.ts';
import { type AccountFlows, accountKey } from './account-flows.ts';
import { type BaseBalances, baseBalances } from './base-balances.ts';
import type { BalanceCheckDeps, Compared, NewExpectedBalance } from './compared.ts';
import { confirmedBalances } from './confirmed-balances.ts';
import { type AccountDecrease, type AccountIncrease, readChanges } from './read-changes.ts';
import { type FollowedBalances, followBalances } from './readable-balances.ts';
import { settleTokens } from './token-balances.ts';

export interface BalanceCheckInput {
  readonly batch: BlockBatch;
  readonly accounts: readonly OpenAccount[];
  readonly scan: Scan;
  readonly toOutput: ToOutput;
}

/** Result of a balance comparison. */
export interface BalanceCheck {
  /** Expected balances at the end of the batch, where they differ from the saved ones. */
  readonly balances: readonly ExpectedBalance[];
  /** Native coins that arrived without a transaction to their address. */
  readonly found: readonly PlacedOutput[];
  /** Transactions that may still bring reorged-out coins again, but have not yet. */
  readonly yetToPayTxids: ReadonlySet<string>;
  /** Reorged-out coins with the amount that no output replaces. */
  readonly reorged: readonly ReorgedCoins[];
  readonly drops: readonly BalanceDrop[];
  /** Expected balances at the end of the batch, and those computed from flows up to its start. */
  readonly settled: readonly NewExpectedBalance[];
  readonly followed: FollowedBalances;
  /** The node had the state at the end of the batch. */
  readonly isComplete: boolean;
  /**
   * Accounts with a known expected balance; without reopened ones whose balance was not read since.
   */
  readonly known: ReadonlySet<string>;
  /** Accounts whose balance was read at the end of the batch. */
  readonly exact: ReadonlySet<string>;
  /** A log may still be missing, or a balance is not believed. */
  readonly isHeld: boolean;
  /** Tokens whose contracts did not return balances. */
  readonly silentAssets: readonly CryptoSymbol[];
}

/**
 * Compares the balances of open accounts at the end of a batch with the expected ones: the balance
 * before, plus the flows since. Contracts can send native coins without a transaction to the
 * address or a log, so a surplus is a payment; a deficit is a balance drop. Null when the branch
 * changed.
 */
export async function checkBalances(
  deps: BalanceCheckDeps,
  memory: EvmMemory,
  { batch, accounts, scan, toOutput }: BalanceCheckInput,
): Promise<BalanceCheck | null> {
  const sightings = createFirstSeenTimes(memory);
  forgetClosed(memory, accounts);
  if (isSettled(memory, batch, accounts)) return nothingNew(accounts, sightings.left());
  const followed = await followBalances(deps.store, deps.asset, memory);
  const bases = await baseBalances(deps, memory, accounts, batch.start, followed);
  const expectedOf = (account: OpenAccount) => {
    const base = bases.of(account);
    return base === null ? null : base + sumFlows(scan.flows, account);
  };
  const begun = accounts.filter((account) => !bases.disputed.has(account));
  const { asset, now } = deps;
  const request = { asset, accounts: begun, block: batch.end, now, areOpen: true, areFollowed: true, expectedOf };
  const real = await confirmedBalances(deps.node, memory, request);
  const isDisputed = (account: OpenAccount) => memory.disagreements.has(accountKey(account));
  const compared: Compared[] = [];
  const unread: OpenAccount[] = [...bases.disputed];
  for (const [index, account] of begun.entries()) {
    const realBaseUnits = real?.[index] ?? null;
    if (realBaseUnits === null) unread.push(account);
    else compared.push(compare(deps, account, bases, scan, realBaseUnits));
  }
  const coins = compared.filter(({ account }) => account.asset === deps.asset);
  const differing = coins.filter((each) => each.realBaseUnits !== each.expectedBaseUnits);
  const changes = await readChanges(deps.node, memory, batch, differing, scan.flows);
  const found = await explain(deps, memory, batch, changes.increases, toOutput);
  if (found === null) return null;
  const statuses = await statusesOfReorged(deps.node, memory, found, batch.end, followedReceipts(memory, batch));
  const tokens = await settleTokens(deps, memory, batch.end, { compared, unread }, scan.lateFlows);
  const settled = [
    ...coins.map(({ account, realBaseUnits }) => ({ account, baseUnits: realBaseUnits })),
    ...tokens.settled,
    ...basePlusFlows(deps, unread, bases, scan),
  ];
  const isOpenedUnread = (account: OpenAccount) =>
    bases.disputed.has(account) || (unread.includes(account) && bases.openedUnread.has(account));
  const silentAssets = [...new Set(unread.flatMap((account) => (isDisputed(account) ? [] : [account.asset])))];
  return {
    balances: changed(memory, scan, settled),
    found: sightings.keep(found, statuses).map((output) => merged(memory, output)),
    yetToPayTxids: statuses.yetToPayTxids,
    reorged: sightings.left(),
    drops: [...changes.decreases.map((decrease) => toDrop(deps, batch, decrease)), ...tokens.drops],
    settled,
    followed,
    isComplete: real !== null,
    known: new Set(settled.flatMap(({ account }) => (isOpenedUnread(account) ? [] : accountKey(account)))),
    exact: new Set(compared.map(({ account }) => accountKey(account))),
    isHeld: tokens.isHeld || accounts.some(isDisputed),
    silentAssets: real === null ? [] : silentAssets,
  };
}

/** Whether all open accounts were compared at that block, and no difference is open. */
export function areCompared({ comparedAt, mismatches, staleAbove }: EvmMemory, { blockHash }: Cursor): boolean {
  return comparedAt === blockHash && mismatches.size === 0 && staleAbove === null;
}

// Helpers

/** The same accounts were compared at the same block, and no difference is open. */
function isSettled(memory: EvmMemory, batch: BlockBatch, accounts: readonly OpenAccount[]): boolean {
  if (batch.blocks.length > 0 || !areCompared(memory, batch.end)) return false;
  return accounts.every((account) => memory.knownOpen?.has(accountKey(account)) === true);
}

/** What is known of accounts that are no longer open is checked with the watched ones. */
function forgetClosed({ disagreements }: EvmMemory, accounts: readonly OpenAccount[]): void {
  const open = new Set(accounts.map(accountKey));
  for (const [key, { isOpen }] of disagreements) if (isOpen && !open.has(key)) disagreements.delete(key);
}

function nothingNew(accounts: readonly OpenAccount[], reorged: readonly ReorgedCoins[]): BalanceCheck {
  const known = new Set(accounts.map(accountKey));
  const yetToPayTxids = new Set<string>();
  const none = {
    balances: [],
    found: [],
    yetToPayTxids,
    drops: [],
    settled: [],
    followed: () => null,
    silentAssets: [],
  };
  return { ...none, reorged, isComplete: true, known, exact: known, isHeld: false };
}

function compare(
  deps: BalanceCheckDeps,
  account: OpenAccount,
  bases: BaseBalances,
  scan: Scan,
  realBaseUnits: bigint,
): Compared {
  const base = bases.of(account);
  const moved = sumFlows(scan.flows, account);
  const hasDecreased = base !== null && realBaseUnits < base + moved;
  if (base !== null && !(hasDecreased && bases.openedUnread.has(account))) {
    return { account, base, realBaseUnits, expectedBaseUnits: base + moved };
  }
  deps.logInfo(
    { address: account.watchKey },
    'the earlier balance of an account is unknown; its balance counts from now on',
  );
  return { account, base: realBaseUnits - moved, realBaseUnits, expectedBaseUnits: realBaseUnits };
}

/** An unreadable account keeps its base plus flows; the next readable balance shows the rest. */
function basePlusFlows(
  deps: BalanceCheckDeps,
  accounts: readonly OpenAccount[],
  bases: BaseBalances,
  scan: Scan,
): NewExpectedBalance[] {
  return accounts.flatMap((account) => {
    const base = bases.of(account);
    if (base === null) return [];
    // The base may already count a late log. Adding only outgoing ones can make the expected
    // balance too low, which never raises a false alarm.
    const late = account.asset === deps.asset ? 0n : scan.lateFlows.departures.of(account);
    return [{ account, baseUnits: base + sumFlows(scan.flows, account) + late }];
  });
}

async function explain(
  deps: ExplainDeps,
  memory: EvmMemory,
  batch: BlockBatch,
  increases: readonly AccountIncrease[],
  toOutput: ToOutput,
): Promise<PlacedOutput[] | null> {
  const found: PlacedOutput[] = [];
  for (const height of new Set(increases.map((increase) => increase.height))) {
    const block = await blockAt(deps.node, memory, batch, height);
    if (block === null) return null;
    const here = increases
      .filter((increase) => increase.height === height)
      .map(({ account, baseUnits, afterHeight }) => ({ watchKey: account.watchKey, baseUnits, afterHeight }));
    const node = unexplainedTraces(deps.node, memory, block);
    const outputs = await explainIncreases({ ...deps, node }, block, here, toOutput);
    found.push(...outputs.map((output) => ({ height, output })));
  }
  return found;
}

/** A block of the batch, or one in memory, which is read again. */
async function blockAt(
  node: EvmNode,
  { chain }: EvmMemory,
  batch: BlockBatch,
  height: number,
): Promise<EvmBlock | null> {
  const known = batch.blocks.find((block) => block.height === height);
  if (known !== undefined) return known;
  const [block] = await node.blocks([height]);
  const { blockHash } = height === batch.end.height ? batch.end : (chain.at(height) ?? {});
  return block && block.hash === blockHash ? block : null;
}

function toDrop({ network }: BalanceCheckDeps, batch: BlockBatch, decrease: AccountDecrease): BalanceDrop {
  const { account, height, baseUnits, expectedBaseUnits } = decrease;
  const blockHash = batch.blocks.find((block) => block.height === height)?.hash ?? batch.end.blockHash;
  const { watchKey, asset } = account;
  return { network, watchKey, asset, missingBaseUnits: baseUnits, expectedBaseUnits, height, blockHash };
}

/** Includes accounts whose flows cancel out: otherwise the store would add the flows itself. */
function changed({ staleAbove }: EvmMemory, scan: Scan, settled: readonly NewExpectedBalance[]): ExpectedBalance[] {
  const hasMoved = (account: OpenAccount) => scan.flows.some((flows) => flows.of(account) !== 0n);
  return settled
    .filter(({ account, baseUnits }) => {
      return staleAbove !== null || account.expectedBaseUnits !== baseUnits || hasMoved(account);
    })
    .map(({ account: { watchKey, asset }, baseUnits }) => ({ watchKey, asset, baseUnits }));
}

function sumFlows(flows: readonly AccountFlows[], account: OpenAccount): bigint {
  return flows.reduce((sum, each) => sum + each.of(account), 0n);
}

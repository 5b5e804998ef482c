import type { BalanceDrop, Cursor, OpenAccount } from '../../port.ts';
import type { BalanceMismatch, EvmMemory } from '../evm-memory.ts';
import type { LateFlows } from '../outputs/scan-batch.ts';
import { accountKey } from './account-flows.ts';
import type { BalanceCheckDeps, Compared, NewExpectedBalance } from './compared.ts';
import { agreedBalances } from './confirmed-balances.ts';

/** How long logs are requested further back after a balance shows that one is missing. */
export const WIDE_OVERLAP_MS = 10 * 60_000;

/** Expected token balances from now on. */
export interface SettledTokens {
  readonly settled: readonly NewExpectedBalance[];
  readonly drops: readonly BalanceDrop[];
  readonly isHeld: boolean;
}

/**
 * Tokens are credited by logs, so a balance only shows that a log is missing. A surplus is credited
 * when its log arrives, not before. A deficit is a balance drop if no log of an outgoing transfer
 * arrives within `lateLogMs` and both endpoints return it. Until then `isHeld` keeps `syncedUntil`
 * from moving, because a payment may still appear.
 *
 * A late log can explain a difference but never create one, so it does not matter whether the log
 * was already counted when the balance was first read.
 *
 * A balance that could not be read settles nothing: an earlier difference of its account is kept.
 */
export async function settleTokens(
  deps: BalanceCheckDeps,
  memory: EvmMemory,
  end: Cursor,
  { compared, unread }: { readonly compared: readonly Compared[]; readonly unread: readonly OpenAccount[] },
  late: LateFlows,
): Promise<SettledTokens> {
  const settled: NewExpectedBalance[] = [];
  const drops: BalanceDrop[] = [];
  let isHeld = false;
  const tokens = compared.filter(({ account }) => account.asset !== deps.asset);
  const readKeys = new Set(tokens.map(({ account }) => accountKey(account)));
  const unreadKeys = new Set(unread.map(accountKey));
  for (const [key, mismatch] of memory.mismatches) {
    if (unreadKeys.has(key)) isHeld ||= deps.isHead && isFresh(deps, mismatch);
    else if (!readKeys.has(key)) memory.mismatches.delete(key);
  }
  for (const { account, realBaseUnits, expectedBaseUnits } of tokens) {
    const above = realBaseUnits - expectedBaseUnits;
    const explained = explainedBy((above > 0n ? late.arrivals : late.departures).of(account), above);
    const unexplained = above - explained;
    const mayBeLate = deps.isHead && recordMismatch(deps, memory, account, { explained, unexplained });
    const isMissing = deps.isHead && !mayBeLate && unexplained < 0n;
    const isDrop = isMissing && (await isAgreed(deps, memory, account, end, realBaseUnits));
    isHeld ||= mayBeLate || isMissing !== isDrop;
    const shortfall = { missingBaseUnits: -unexplained, expectedBaseUnits: expectedBaseUnits + explained };
    if (isDrop) drops.push({ ...dropAt(deps, account, end), ...shortfall });
    settled.push({ account, baseUnits: isDrop ? realBaseUnits : expectedBaseUnits + explained });
  }
  return { settled, drops, isHeld };
}

/**
 * How much of a difference a change explains: at most all of it, and nothing if their signs differ.
 */
export function explainedBy(change: bigint, difference: bigint): bigint {
  if (change > 0n && difference > 0n) return change < difference ? change : difference;
  if (change < 0n && difference < 0n) return change > difference ? change : difference;
  return 0n;
}

// Helpers

/** Times `lateLogMs`: how long balance changes without logs can hold `syncedUntil` back. */
const LATE_LOGS_IN_A_ROW = 10;

/** Whether a difference is recent enough to be a late log. */
function isFresh({ now, lateLogMs }: BalanceCheckDeps, { since, changedAt }: BalanceMismatch): boolean {
  return now - changedAt < lateLogMs && now - since < LATE_LOGS_IN_A_ROW * lateLogMs;
}

/**
 * Records a difference; returns whether it may be a late log. The wait restarts when the difference
 * changes, or when a log has explained part of it: then another, later log may be missing.
 */
function recordMismatch(
  deps: BalanceCheckDeps,
  memory: EvmMemory,
  account: OpenAccount,
  { explained, unexplained }: { readonly explained: bigint; readonly unexplained: bigint },
): boolean {
  const key = accountKey(account);
  memory.missingLogs.record(account, unexplained, deps.now);
  if (unexplained === 0n) {
    memory.mismatches.delete(key);
    return false;
  }
  const mismatch = memory.mismatches.get(key);
  const isTheSame = mismatch?.baseUnits === unexplained && explained === 0n;
  const changedAt = isTheSame ? mismatch.changedAt : deps.now;
  const recorded: BalanceMismatch = { since: mismatch?.since ?? deps.now, changedAt, baseUnits: unexplained };
  memory.mismatches.set(key, recorded);
  if (mismatch === undefined) {
    deps.logInfo(
      { address: account.watchKey, asset: account.asset },
      'a token balance differs from its logs; requesting them again',
    );
  }
  return isFresh(deps, recorded);
}

/** Whether both endpoints return this balance; else `disagreements` has the account. */
async function isAgreed(
  { node }: BalanceCheckDeps,
  { disagreements }: EvmMemory,
  account: OpenAccount,
  end: Cursor,
  baseUnits: bigint,
): Promise<boolean> {
  const [agreed = null] = await agreedBalances(node, [account], end);
  if (agreed === baseUnits) return true;
  const { watchKey, asset } = account;
  disagreements.set(accountKey(account), {
    watchKey,
    asset,
    height: end.height,
    baseUnits: [baseUnits, agreed],
    isOfTwoEndpoints: true,
    fall: null,
    isOpen: true,
  });
  return false;
}

function dropAt({ network }: BalanceCheckDeps, { watchKey, asset }: OpenAccount, { height, blockHash }: Cursor) {
  return { network, watchKey, asset, height, blockHash };
}

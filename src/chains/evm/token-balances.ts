import type { BalanceDrop, Cursor, OpenAccount } from '../port.ts';
import { type AccountFlows, accountKey } from './account-flows.ts';
import type { Compared, Settled, SweepDeps } from './compared.ts';
import type { EvmMemory } from './evm-memory.ts';

/** What token accounts should hold from now on. */
export interface SettledTokens {
  readonly settled: readonly Settled[];
  readonly drops: readonly BalanceDrop[];
  readonly isHeld: boolean;
}

/**
 * Tokens are paid by logs, so a balance only tells that a log is missing. More than expected is credited when its log comes,
 * not before. Less than expected is a drop if the log of an outgoing transfer has not come after `lateLogMs`. Until
 * then the difference is held: the network must not count as looked at while a payment may still appear.
 *
 * A late log explains a difference; it never makes one. Whether it was counted when the balance was first read is not
 * known, and this way it does not matter.
 */
export function settleTokens(
  deps: SweepDeps,
  memory: EvmMemory,
  end: Cursor,
  compared: readonly Compared[],
  lateFlows: AccountFlows,
): SettledTokens {
  const settled: Settled[] = [];
  const drops: BalanceDrop[] = [];
  let isHeld = false;
  const tokens = compared.filter(({ account }) => account.asset !== deps.asset);
  const open = new Set(tokens.map(({ account }) => accountKey(account)));
  for (const key of memory.doubts.keys()) if (!open.has(key)) memory.doubts.delete(key);
  for (const { account, realBaseUnits, expectedBaseUnits } of tokens) {
    const above = realBaseUnits - expectedBaseUnits;
    const explained = explainedBy(lateFlows.of(account), above);
    const unexplained = above - explained;
    const isFresh = deps.isHead && noteDoubt(deps, memory, account, { explained, unexplained });
    isHeld ||= isFresh;
    const isDrop = deps.isHead && !isFresh && unexplained < 0n;
    const shortfall = { missingBaseUnits: -unexplained, expectedBaseUnits: expectedBaseUnits + explained };
    if (isDrop) drops.push({ ...dropAt(deps, account, end), ...shortfall });
    settled.push({ account, baseUnits: isDrop ? realBaseUnits : expectedBaseUnits + explained });
  }
  return { settled, drops, isHeld };
}

/** How much of a difference a change explains: at most all of it, and nothing of one with the other sign. */
export function explainedBy(change: bigint, difference: bigint): bigint {
  if (change > 0n && difference > 0n) return change < difference ? change : difference;
  if (change < 0n && difference < 0n) return change > difference ? change : difference;
  return 0n;
}

// Helpers

/** A contract that changes balances all the time and logs nothing must not hold the network for ever: so many late logs in a row at most. */
const LATE_LOGS_IN_A_ROW = 10;

/**
 * True while a difference is young enough to be a late log. One that is not what it was is of another log, which may be younger; also when
 * a log has come that explains as much as is missing now.
 */
function noteDoubt(
  deps: SweepDeps,
  memory: EvmMemory,
  account: OpenAccount,
  { explained, unexplained }: { readonly explained: bigint; readonly unexplained: bigint },
): boolean {
  const key = accountKey(account);
  if (unexplained === 0n) {
    memory.doubts.delete(key);
    return false;
  }
  const doubt = memory.doubts.get(key);
  const isTheSame = doubt?.baseUnits === unexplained && explained === 0n;
  const changedAt = isTheSame ? doubt.changedAt : deps.now;
  const since = doubt?.since ?? deps.now;
  memory.doubts.set(key, { since, changedAt, baseUnits: unexplained });
  if (doubt === undefined) {
    deps.tell(
      { address: account.watchKey, asset: account.asset },
      'a token balance differs from its logs; they are asked for again',
    );
  }
  return deps.now - changedAt < deps.lateLogMs && deps.now - since < LATE_LOGS_IN_A_ROW * deps.lateLogMs;
}

function dropAt({ network }: SweepDeps, { watchKey, asset }: OpenAccount, { height, blockHash }: Cursor) {
  return { network, watchKey, asset, height, blockHash };
}

import type { CryptoSymbol } from '../../../../machines/index.ts';
import type { Account, Cursor } from '../../port.ts';
import type { BalanceDoubt, DoubtedReading, EvmMemory } from '../evm-memory.ts';
import type { EvmNode } from '../node/evm-node.ts';
import { accountKey } from './account-flows.ts';
import { readableBalances } from './readable-balances.ts';

/** In how many blocks a difference must be read to count if no second endpoint confirms it. */
export const LASTING_BLOCKS = 3;

export interface ConfirmedBalancesRequest<T extends Account> {
  /** The chain's native coin. Tokens are credited by logs, so their balances are read once. */
  readonly asset: CryptoSymbol;
  /** Where blocks are mined on demand, a difference cannot be expected to last some of them. */
  readonly hasRegularBlocks: boolean;
  readonly accounts: readonly T[];
  readonly block: Cursor;
  /** Null when it is unknown. */
  expectedOf(account: T): bigint | null;
}

/**
 * Balances as `readableBalances` returns them. One wrong response must neither create a payment nor
 * change an expected balance, so a native one that is not as expected counts only once another
 * endpoint returns the same, or as far as it lasts: the other confirms that it was so in an earlier
 * block, or none can answer and it is read in `LASTING_BLOCKS` blocks. Null until then, as if
 * unread. An unknown balance that no other endpoint contradicts is taken as it is. `memory.doubts`
 * has what is not confirmed.
 */
export async function confirmedBalances<T extends Account>(
  node: EvmNode,
  memory: EvmMemory,
  request: ConfirmedBalancesRequest<T>,
): Promise<(bigint | null)[] | null> {
  const { asset, accounts, block, expectedOf } = request;
  const read = await readableBalances(node, accounts, block);
  if (read === null) return null;
  const isOther = (account: T, index: number) => account.asset === asset && read[index] !== expectedOf(account);
  const differing = accounts.flatMap((account, index): Differing<T>[] => {
    const baseUnits = read[index] ?? null;
    return baseUnits !== null && isOther(account, index) ? [{ account, baseUnits, expected: expectedOf(account) }] : [];
  });
  const second = await readSecond(node, differing, block);
  const judged = new Map<T, Judged>();
  for (const each of differing) {
    judged.set(each.account, await judge(node, memory, request, each, second.get(each.account)));
  }
  for (const account of accounts) {
    const { doubt = null } = judged.get(account) ?? {};
    if (doubt === null) memory.doubts.delete(accountKey(account));
    else memory.doubts.set(accountKey(account), doubt);
  }
  return accounts.map((account, index) => {
    const differs = judged.get(account);
    return differs === undefined ? (read[index] ?? null) : differs.baseUnits;
  });
}

/** For a balance that two endpoints disagree about; null for one that only waits. */
export function disagreementWarning({ watchKey, asset, disagreement }: BalanceDoubt): string | null {
  if (disagreement === null) return null;
  const { height, baseUnits, otherBaseUnits } = disagreement;
  return (
    `Two endpoints disagree about the ${asset} balance of ${watchKey} in block ${height} (${baseUnits} and ${otherBaseUnits}). ` +
    'Until they agree, coins that contracts send there are not reported and, while its payment is open, payment windows ' +
    'of this network are held open. Compare the nodes.'
  );
}

// Helpers

interface Differing<T> {
  readonly account: T;
  readonly baseUnits: bigint;
  readonly expected: bigint | null;
}

/** As much of a balance as counts, and what does not yet. */
interface Judged {
  readonly baseUnits: bigint | null;
  readonly doubt: BalanceDoubt | null;
}

async function judge<T extends Account>(
  node: EvmNode,
  memory: EvmMemory,
  { block, hasRegularBlocks }: ConfirmedBalancesRequest<T>,
  { account, baseUnits, expected }: Differing<T>,
  other: bigint | undefined,
): Promise<Judged> {
  if (other === baseUnits) return { baseUnits, doubt: null };
  const { scannedUntil: arrivedAfter } = memory;
  const { watchKey, asset } = account;
  const fresh = { watchKey, asset, block, isUnknown: expected === null, arrivedAfter, exactHeight: null, readings: [] };
  const doubt: BalanceDoubt = memory.doubts.get(accountKey(account)) ?? { ...fresh, disagreement: null };
  if (other !== undefined)
    return { baseUnits: null, doubt: { ...doubt, disagreement: conflict(block, baseUnits, other) } };
  if (!hasRegularBlocks || expected === null) return { baseUnits, doubt: null };

  const reading = { block, baseUnits, aboveBaseUnits: baseUnits - expected, arrivedAfter };
  const earlier = doubt.readings.filter((each) => isBefore(memory, each, reading));
  const [first, ...later] = earlier;
  const then = first === undefined ? undefined : (await readSecond(node, [{ account }], first.block)).get(account);
  if (first !== undefined && then !== undefined && then !== first.baseUnits) {
    const disagreement = conflict(first.block, first.baseUnits, then);
    return { baseUnits: null, doubt: { ...doubt, readings: [...later, reading], disagreement } };
  }
  const readings = [...earlier, reading];
  if (then === undefined && readings.length < LASTING_BLOCKS) return { baseUnits: null, doubt: { ...doubt, readings } };
  return asFarAsItLasts(doubt, readings, expected);
}

/** The part of a difference that all readings show. Later ones may show more: that is new. */
function asFarAsItLasts(doubt: BalanceDoubt, readings: readonly DoubtedReading[], expected: bigint): Judged {
  const lasting = readings.map(({ aboveBaseUnits }) => aboveBaseUnits).reduce((a, b) => (size(b) < size(a) ? b : a));
  const last = readings.findLastIndex(({ aboveBaseUnits }) => aboveBaseUnits === lasting);
  const rest = readings.slice(last + 1).map((each) => ({ ...each, aboveBaseUnits: each.aboveBaseUnits - lasting }));
  const [first] = rest;
  const exactHeight = readings[last]?.block.height ?? null;
  const remaining = { ...doubt, ...first, exactHeight, readings: rest, disagreement: null };
  return { baseUnits: expected + lasting, doubt: first === undefined ? null : remaining };
}

/** Without those for which no other endpoint has the state of that block. */
async function readSecond<T extends Account>(
  { second }: EvmNode,
  differing: readonly { readonly account: T }[],
  block: Cursor,
): Promise<ReadonlyMap<T, bigint>> {
  const accounts = differing.map(({ account }) => account);
  const balances = accounts.length === 0 ? null : await second.balances(accounts, block);
  return new Map(balances === null ? [] : accounts.map((account, index) => [account, balances[index] ?? 0n]));
}

/** Whether it is a reading of the same difference, in an earlier block of this branch. */
function isBefore({ chain }: EvmMemory, earlier: DoubtedReading, now: DoubtedReading): boolean {
  const { block, aboveBaseUnits } = earlier;
  const isOnBranch = block.height < now.block.height && chain.at(block.height)?.blockHash === block.blockHash;
  return isOnBranch && aboveBaseUnits > 0n === now.aboveBaseUnits > 0n;
}

function conflict({ height }: Cursor, baseUnits: bigint, otherBaseUnits: bigint): BalanceDoubt['disagreement'] {
  return { height, baseUnits, otherBaseUnits };
}

function size(baseUnits: bigint): bigint {
  return baseUnits < 0n ? -baseUnits : baseUnits;
}

import type { AccountChange, DueAccount, ExpectedBalance, TrackedOutput } from '../../port.ts';
import type { EvmMemory } from '../evm-memory.ts';
import { ACCOUNTS_PER_CALL } from '../node/balances.ts';
import type { EvmReceipt } from '../node/evm-node.ts';
import { timeOf } from '../node/time-of.ts';
import { explainIncreases, merged, type UnexplainedIncrease, unexplainedTraces } from '../outputs/explain-increases.ts';
import { createFirstSeenTimes } from '../outputs/first-seen-times.ts';
import type { LateChanges } from '../outputs/late.ts';
import { createOutputs } from '../outputs/match-payments.ts';
import { type BatchDeps, matchDeps } from '../outputs/process-batch.ts';
import { type ReorgedCoins, statusesOfReorged } from '../outputs/reorged-coins.ts';
import type { PlacedOutput } from '../outputs/scan-batch.ts';
import { accountKey, createAccountFlows } from './account-flows.ts';
import { confirmedBalances } from './confirmed-balances.ts';
import { locateIncreases } from './locate-increases.ts';

export type CheckWatchedDeps = Pick<BatchDeps, 'params' | 'node' | 'watchSet' | 'accounts' | 'clock'>;

/** Result for one group of due accounts; applied by `saveLate`. */
export interface WatchedGroup extends LateChanges {
  /** Reorged-out coins with the amount that no output replaces. */
  readonly reorged: readonly ReorgedCoins[];
  /** More accounts may be due. */
  readonly isFull: boolean;
}

/**
 * Compares one group of due watched accounts with their expected balances at the tip in memory,
 * which must be saved. A surplus is a payment, in the block it arrived in. A deficit is not a loss
 * of an open payment; it only lowers the expected balance. `receipts` are those of this poll, see
 * `statusesOfReorged`. Changes nothing. Null when no account is due, the state of the tip is
 * missing or the branch changed.
 */
export async function checkWatched(
  deps: CheckWatchedDeps,
  memory: EvmMemory,
  receipts: readonly EvmReceipt[],
): Promise<WatchedGroup | null> {
  const tip = memory.chain.tip();
  const due = await deps.accounts.dueAccounts(ACCOUNTS_PER_CALL);
  if (due.length < ACCOUNTS_PER_CALL) forgetNotDue(memory, due);
  if (tip === null || due.length === 0) return null;
  const coins = due.filter(({ asset, nextCheckAt }) => asset === deps.params.asset && nextCheckAt !== null);
  const expected = await expectedBalances(deps, memory, coins);
  const accounts = [...expected.keys()];
  const expectedOf = (account: DueAccount) => expected.get(account) ?? null;
  const real = await confirmedBalances(deps.node, memory, {
    asset: deps.params.asset,
    accounts,
    block: tip,
    now: deps.clock.now(),
    areOpen: false,
    areFollowed: false,
    expectedOf,
  });
  if (real === null) return null;
  const read = accounts.flatMap((account, index) => {
    const balance = real[index] ?? null;
    return balance === null ? [] : compare(account, balance, expectedOf(account));
  });
  const { increases, undated } = await readIncreases(deps, memory, read);
  const compared = read.filter(({ account }) => !undated.has(account));
  const settled = new Set(compared.map(({ account }) => accountKey(account)));
  const sightings = createFirstSeenTimes(memory);
  const found = await explain(deps, memory, increases);
  const statuses = await statusesOfReorged(deps.node, memory, found ?? [], tip, receipts);
  const [tipHash] = await deps.node.blockHashes([tip.height]);
  if (found === null || tipHash !== tip.blockHash) return null;
  const placed = sightings.keep(found, statuses);
  const decreased = compared.filter(({ aboveBaseUnits }) => aboveBaseUnits < 0n);
  return {
    placed: placed.map((output) => merged(memory, output)),
    removed: [],
    flows: [
      ...placed.map(({ height, output }) => ({ height, change: changeOf(output, output.amountBaseUnits) })),
      ...decreased.map(({ account, aboveBaseUnits }) => {
        return { height: tip.height, change: changeOf(account, aboveBaseUnits) };
      }),
    ],
    balances: compared.flatMap(({ account, realBaseUnits }): ExpectedBalance[] => {
      return account.expectedBaseUnits === realBaseUnits ? [] : [changeOf(account, realBaseUnits)];
    }),
    // One whose balance is not believed stays due.
    nextChecks: due.filter((account) => {
      const key = accountKey(account);
      return settled.has(key) || !memory.disagreements.has(key);
    }),
    reorged: sightings.left(),
    isFull: due.length === ACCOUNTS_PER_CALL,
  };
}

// Helpers

/** An account that is neither open nor due is not watched any more, or opened again. */
function forgetNotDue({ disagreements }: EvmMemory, due: readonly DueAccount[]): void {
  const keys = new Set(due.map(accountKey));
  for (const [key, { isOpen }] of disagreements) if (!isOpen && !keys.has(key)) disagreements.delete(key);
}

interface Compared {
  readonly account: DueAccount;
  readonly realBaseUnits: bigint;
  /** Zero when the earlier balance is unknown: the current one becomes the expected one. */
  readonly aboveBaseUnits: bigint;
}

function compare(account: DueAccount, realBaseUnits: bigint, expected: bigint | null): Compared {
  return { account, realBaseUnits, aboveBaseUnits: realBaseUnits - (expected ?? realBaseUnits) };
}

/**
 * Expected balances at the tip in memory. An unknown one is the balance at the oldest block in
 * memory plus the flows since, as after a reorganisation below every stored block, when scanning
 * restarted there. Not of an account assigned later: its address may not have been watched in all
 * of these blocks, and a transaction in one of them, which a rescan finds, would count again here.
 * Without those about whose balance there two responses disagree.
 */
async function expectedBalances(
  deps: CheckWatchedDeps,
  memory: EvmMemory,
  accounts: readonly DueAccount[],
): Promise<ReadonlyMap<DueAccount, bigint | null>> {
  const expected = new Map(accounts.map((account) => [account, account.expectedBaseUnits]));
  const oldest = memory.chain.oldest();
  if (oldest === null || accounts.every(({ expectedBaseUnits }) => expectedBaseUnits !== null)) return expected;
  const beganAt = await timeOf(deps.node, oldest);
  const unknown = accounts.filter(({ expectedBaseUnits, assignedAt }) => {
    return expectedBaseUnits === null && beganAt !== null && assignedAt !== null && assignedAt <= beganAt;
  });
  const since = memory.chain.above(oldest.height);
  if (since.some(({ flows }) => flows === undefined)) return expected;
  const balances = await confirmedBalances(deps.node, memory, {
    asset: deps.params.asset,
    accounts: unknown,
    block: oldest,
    now: deps.clock.now(),
    areOpen: false,
    areFollowed: false,
    expectedOf: () => null,
  });
  const moved = createAccountFlows();
  for (const { flows = [] } of since) for (const flow of flows) moved.add(flow, flow.baseUnits);
  for (const [index, account] of unknown.entries()) {
    const balance = balances?.[index] ?? null;
    if (balance !== null) expected.set(account, balance + moved.of(account));
    else if (balances !== null) expected.delete(account);
  }
  return expected;
}

function changeOf({ watchKey, asset }: DueAccount | TrackedOutput, baseUnits: bigint): AccountChange {
  return { watchKey, asset, baseUnits };
}

type HeightIncrease = UnexplainedIncrease & { readonly height: number };

async function readIncreases(
  { node }: CheckWatchedDeps,
  memory: EvmMemory,
  compared: readonly Compared[],
): Promise<{ readonly increases: readonly HeightIncrease[]; readonly undated: ReadonlySet<DueAccount> }> {
  const increased = compared.filter(({ aboveBaseUnits }) => aboveBaseUnits > 0n);
  const searched = increased.map(({ account, realBaseUnits, aboveBaseUnits }) => {
    return { account, realBaseUnits, expectedBaseUnits: realBaseUnits - aboveBaseUnits };
  });
  const located = await locateIncreases(node, memory, searched);
  const increases = [...located].flatMap(([{ watchKey }, found]) =>
    found.map(({ height, baseUnits, afterHeight }) => ({
      watchKey,
      height,
      baseUnits,
      afterHeight: afterHeight ?? -1,
    })),
  );
  const accounts = increased.map(({ account }) => account);
  return { increases, undated: new Set(accounts.filter((account) => !located.has(account))) };
}

async function explain(
  deps: CheckWatchedDeps,
  memory: EvmMemory,
  increases: readonly HeightIncrease[],
): Promise<PlacedOutput[] | null> {
  const heights = [...new Set(increases.map(({ height }) => height))];
  const blocks = heights.length === 0 ? [] : await deps.node.blocks(heights);
  const matching = matchDeps(deps, memory, []);
  const toOutput = createOutputs(matching, memory);
  const { asset } = deps.params;
  const placed: PlacedOutput[] = [];
  for (const [index, height] of heights.entries()) {
    const block = blocks[index];
    if (!block || block.hash !== memory.chain.at(height)?.blockHash) return null;
    const node = unexplainedTraces(deps.node, memory, block);
    const here = increases.filter((increase) => increase.height === height);
    const outputs = await explainIncreases({ node, asset, now: matching.now }, block, here, toOutput);
    placed.push(...outputs.map((output) => ({ height, output })));
  }
  return placed;
}

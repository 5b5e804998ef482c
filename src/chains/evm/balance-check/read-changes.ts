import type { OpenAccount } from '../../port.ts';
import type { EvmMemory } from '../evm-memory.ts';
import type { EvmNode } from '../node/evm-node.ts';
import type { BlockBatch } from '../outputs/read-batch.ts';
import { type AccountFlows, accountKey } from './account-flows.ts';
import type { Compared } from './compared.ts';
import { agreedBalances } from './confirmed-balances.ts';
import { type BalanceIncrease, type Reading, readEarlier, remainingIncreases } from './locate-increases.ts';

export interface AccountIncrease extends BalanceIncrease {
  readonly account: OpenAccount;
  readonly afterHeight: number;
}

/** A loss, and the balance expected before it. */
export interface AccountDecrease extends BalanceIncrease {
  readonly account: OpenAccount;
  readonly expectedBaseUnits: bigint;
}

/**
 * Blocks in which differing balances rose above or fell below the expected ones: of the batch, and
 * earlier ones in which two responses disagreed about a rise.
 */
export async function readChanges(
  node: EvmNode,
  memory: EvmMemory,
  batch: BlockBatch,
  differing: readonly Compared[],
  flows: readonly AccountFlows[],
): Promise<{ readonly increases: readonly AccountIncrease[]; readonly decreases: readonly AccountDecrease[] }> {
  const readings = new Map<Compared, CoinReading[]>(differing.map((each) => [each, []]));
  const inner = differing.length === 0 ? [] : batch.blocks.slice(0, -1);
  const moved = new Map(differing.map((each) => [each, each.base]));
  for (const [blockIndex, block] of inner.entries()) {
    const accounts = differing.map(({ account }) => account);
    const balances = await agreedBalances(node, accounts, { height: block.height, blockHash: block.hash });
    for (const [index, each] of differing.entries()) {
      const expected = (moved.get(each) ?? 0n) + (flows[blockIndex]?.of(each.account) ?? 0n);
      moved.set(each, expected);
      const balance = balances[index] ?? null;
      if (balance !== null) readings.get(each)?.push(readingOf(block.height, balance, expected));
    }
  }
  const earlier = await readEarlier(
    node,
    memory,
    differing.map(({ account, base }) => ({ account, base })),
  );
  const increases: AccountIncrease[] = [];
  const decreases: AccountDecrease[] = [];
  for (const [{ account, realBaseUnits, expectedBaseUnits }, series] of readings) {
    series.push(readingOf(batch.end.height, realBaseUnits, expectedBaseUnits));
    const before = memory.exactAt.get(accountKey(account)) ?? -1;
    const complete = (increase: BalanceIncrease) => ({
      ...increase,
      account,
      afterHeight: increase.afterHeight ?? before,
    });
    increases.push(...remainingIncreases([...(earlier.get(account) ?? []), ...series]).map(complete));
    let lost = 0n;
    for (const decrease of remainingIncreases(series.map(negated))) {
      const expected = series.find(({ height }) => height === decrease.height)?.expectedBaseUnits ?? 0n;
      decreases.push({ ...decrease, account, expectedBaseUnits: expected - lost });
      lost += decrease.baseUnits;
    }
  }
  return { increases, decreases };
}

// Helpers

interface CoinReading extends Reading {
  readonly expectedBaseUnits: bigint;
}

function readingOf(height: number, balance: bigint, expectedBaseUnits: bigint): CoinReading {
  return { height, aboveBaseUnits: balance - expectedBaseUnits, expectedBaseUnits };
}

function negated({ height, aboveBaseUnits }: Reading): Reading {
  return { height, aboveBaseUnits: -aboveBaseUnits };
}

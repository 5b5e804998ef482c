import { RetryableError } from '../../../platform/errors.ts';
import type { Account, Cursor } from '../../port.ts';
import type { EvmNode } from '../node/evm-node.ts';

/** A balance that differs from the expected one. */
export interface Difference {
  readonly account: Account;
  readonly realBaseUnits: bigint;
}

/**
 * Reads balances that differ from the expected ones once more, from another endpoint if possible:
 * one wrong response must neither create a payment nor change an expected balance. Throws a
 * `RetryableError` `BALANCES_DISAGREE` when the responses differ, so that the poll is repeated and
 * nothing is reported until they agree.
 */
export async function confirmDifferences(
  { second }: EvmNode,
  differences: readonly Difference[],
  block: Cursor,
): Promise<void> {
  if (differences.length === 0) return;
  const accounts = differences.map(({ account }) => account);
  const again = await second.balances(accounts, block);
  for (const [index, { account, realBaseUnits }] of differences.entries()) {
    if (again?.[index] === realBaseUnits) continue;
    throw new RetryableError(
      'BALANCES_DISAGREE',
      `two responses about the ${account.asset} balance of ${account.watchKey} in block ${block.height} differ ` +
        `(${realBaseUnits} and ${again?.[index] ?? 'none'}); nothing is reported until they agree: compare the nodes`,
    );
  }
}

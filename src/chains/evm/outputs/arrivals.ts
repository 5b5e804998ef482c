import type { Account } from '../../port.ts';
import { accountKey, createAccountFlows } from '../balance-check/account-flows.ts';
import { agreedBalances } from '../balance-check/confirmed-balances.ts';
import { readableBalances } from '../balance-check/readable-balances.ts';
import type { EvmBlock, EvmNode, TokenTransfer } from '../node/evm-node.ts';

/** What one token transfer credited to its recipient. */
export interface Arrival {
  readonly transfer: TokenTransfer;
  /** At most what the log states. */
  readonly amountBaseUnits: bigint;
  /** The balances before and after the block were read, so the amount is what really arrived. */
  readonly isProven: boolean;
}

/**
 * The amounts really received by the token transfers of one block. Some tokens take a fee on
 * transfer, and a contract can log any amount. So an account can have received at most the increase
 * of its balance in the block plus what it sent away; amounts above that are cut, later logs first.
 * Where the node no longer has the state of the block, the logs are trusted; so they are where a
 * balance would cut them and two endpoints disagree about it.
 *
 * `transfers`: all transfers of the block to or from a watched address, in log order. `isPaid`:
 * whether to credit an address.
 */
export async function arrivalsIn(
  node: EvmNode,
  { height, hash, parentHash }: EvmBlock,
  transfers: readonly TokenTransfer[],
  isPaid: (address: string) => boolean,
): Promise<Arrival[]> {
  const paying = transfers.filter((transfer) => isPayment(transfer) && isPaid(transfer.to));
  if (paying.length === 0) return [];
  const accounts = [
    ...new Map(paying.map((transfer) => [accountKey(recipient(transfer)), recipient(transfer)])).values(),
  ];
  const after = await readableBalances(node, accounts, { height, blockHash: hash });
  const parent = { height: height - 1, blockHash: parentHash };
  const before = after === null ? null : await readableBalances(node, accounts, parent);
  const left = createAccountFlows();
  for (const transfer of transfers) if (isPayment(transfer)) left.add(sender(transfer), transfer.amountBaseUnits);
  const logged = createAccountFlows();
  for (const transfer of paying) logged.add(recipient(transfer), transfer.amountBaseUnits);
  const proven = new Set<string>();
  for (const [index, account] of accounts.entries()) {
    let change = difference(after?.[index], before?.[index]);
    if (change !== null && change + left.of(account) < logged.of(account)) {
      const [now] = await agreedBalances(node, [account], { height, blockHash: hash });
      const [then] = await agreedBalances(node, [account], parent);
      change = difference(now, then);
    }
    if (change === null) continue;
    proven.add(accountKey(account));
    left.add(account, change);
  }
  return paying.map((transfer) => {
    const account = recipient(transfer);
    if (!proven.has(accountKey(account))) {
      return { transfer, amountBaseUnits: transfer.amountBaseUnits, isProven: false };
    }
    const available = left.of(account);
    const amountBaseUnits = min(transfer.amountBaseUnits, available > 0n ? available : 0n);
    left.add(account, -amountBaseUnits);
    return { transfer, amountBaseUnits, isProven: true };
  });
}

/** A transfer of zero, or from an address to itself, is not a payment. */
export function isPayment({ from, to, amountBaseUnits }: TokenTransfer): boolean {
  return amountBaseUnits > 0n && from !== to;
}

export function recipient({ to, token }: TokenTransfer): Account {
  return { watchKey: to, asset: token };
}

export function sender({ from, token }: TokenTransfer): Account {
  return { watchKey: from, asset: token };
}

// Helpers

function difference(now: bigint | null = null, then: bigint | null = null): bigint | null {
  return now === null || then === null ? null : now - then;
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

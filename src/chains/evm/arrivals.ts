import type { Account } from '../port.ts';
import { accountKey, createAccountFlows } from './account-flows.ts';
import type { EvmNode, TokenTransfer } from './evm-node.ts';
import { readableBalances } from './readable-balances.ts';

/** What one token transfer brought to its recipient. */
export interface Arrival {
  readonly transfer: TokenTransfer;
  /** At most what the log claims. */
  readonly amountBaseUnits: bigint;
  /** The balances around the block were read, so the amount is what came and not only what the log claims. */
  readonly isProven: boolean;
}

/**
 * What really arrived with the transfers of one block. Some tokens keep a part of what their log claims, and a contract can
 * claim anything, so what an account can have received in the block is its rise in balance plus what it sent away. Claims
 * beyond that are cut, the later ones first. Where the node has no state of the block any more the logs are believed.
 *
 * `transfers` are all of the block that touch a watched address, in the order of their logs; `isPaid` tells whom to credit.
 */
export async function arrivalsIn(
  node: EvmNode,
  height: number,
  transfers: readonly TokenTransfer[],
  isPaid: (address: string) => boolean,
): Promise<Arrival[]> {
  const paying = transfers.filter((transfer) => isPayment(transfer) && isPaid(transfer.to));
  if (paying.length === 0) return [];
  const accounts = [
    ...new Map(paying.map((transfer) => [accountKey(recipient(transfer)), recipient(transfer)])).values(),
  ];
  const after = await readableBalances(node, accounts, height);
  const before = after === null ? null : await readableBalances(node, accounts, height - 1);
  const left = createAccountFlows();
  const proven = new Set<string>();
  for (const [index, account] of accounts.entries()) {
    const now = after?.[index] ?? null;
    const then = before?.[index] ?? null;
    if (now === null || then === null) continue;
    proven.add(accountKey(account));
    left.add(account, now - then);
  }
  for (const transfer of transfers) if (isPayment(transfer)) left.add(sender(transfer), transfer.amountBaseUnits);
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

/** Nothing is paid by moving nothing, nor by moving coins from an address to itself. */
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

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

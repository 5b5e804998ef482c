import { accountKey } from '../../../../../src/chains/evm/balance-check/account-flows.ts';
import { outputKind } from '../../../../../src/chains/evm/outputs/output-id.ts';
import type { Account, Observation, OutputStatus } from '../../../../../src/chains/index.ts';
import { COIN, type FakeBlock, type FakeEvmNode } from '../../../../support/nodes/fake-evm-node.ts';
import { isSameLocation } from '../../../support/history-support.ts';

/** The true state of a chain, derived by reading it in order with full information. */
export type ChainTruth = ReturnType<typeof createChainTruth>;

export function createChainTruth(node: FakeEvmNode) {
  const payments = new Map<string, Map<string, FakeBlock>>();

  /** Blocks of the best branch by the payments in them. */
  function bestPayments(): ReadonlyMap<string, FakeBlock> {
    const tip = node.best().hash;
    const known = payments.get(tip) ?? new Map<string, FakeBlock>();
    if (!payments.has(tip)) {
      for (const block of node.bestBranch()) for (const { outputId } of paymentsIn(block)) known.set(outputId, block);
    }
    payments.set(tip, known);
    return known;
  }

  function paymentsIn(block: FakeBlock): (Account & { readonly outputId: string; readonly claimed: bigint })[] {
    const native = block.transactions.flatMap(({ txid, from, to, valueWei, fails }) =>
      fails || to === null || to === from || valueWei === 0n
        ? []
        : [{ outputId: txid, watchKey: to, asset: COIN, claimed: valueWei }],
    );
    const logged = node
      .transfersIn(block)
      .filter(({ from, to, amountBaseUnits }) => from !== to && amountBaseUnits > 0n)
      .map(({ txid, logIndex, to, token, amountBaseUnits }) => {
        return { outputId: `${txid}:${logIndex}`, watchKey: to, asset: token, claimed: amountBaseUnits };
      });
    return [...native, ...logged];
  }

  /** Every payment in the branches that end in these blocks. */
  function everyClaim(tips: readonly string[]) {
    const claims = new Map<string, ReturnType<typeof paymentsIn>[number]>();
    const seen = new Set<string>();
    for (const tip of tips) {
      for (
        let block = node.block(tip);
        block.height > 0 && !seen.has(block.hash);
        block = node.block(block.parentHash)
      ) {
        seen.add(block.hash);
        for (const payment of paymentsIn(block)) claims.set(payment.outputId, payment);
      }
    }
    return claims;
  }

  /**
   * What a payment in the best branch brought. Token amounts above the increase of the balance are
   * cut from the later logs.
   */
  function creditOf(outputId: string): bigint {
    const block = bestPayments().get(outputId);
    const here = block === undefined ? [] : paymentsIn(block);
    const payment = here.find((each) => each.outputId === outputId);
    if (block === undefined || payment === undefined) return 0n;
    if (payment.asset === COIN) return payment.claimed;
    let left = arrivedIn(block, payment);
    for (const each of here.filter((other) => accountKey(other) === accountKey(payment))) {
      const credit = each.claimed < left ? each.claimed : left;
      if (each.outputId === outputId) return credit;
      left -= credit;
    }
    return 0n;
  }

  /** The increase of a balance in a block plus what was sent from it there. */
  function arrivedIn(block: FakeBlock, account: Account): bigint {
    const increase = node.balance(account, block.hash) - node.balance(account, block.parentHash);
    return increase + sentIn(block, account);
  }

  function sentIn(block: FakeBlock, { watchKey, asset }: Account): bigint {
    let sent = 0n;
    for (const { from, to, valueWei, feeWei, fails } of asset === COIN ? block.transactions : []) {
      if (from === watchKey) sent += feeWei + (fails || to === from ? 0n : valueWei);
    }
    for (const { token, from, to, amountBaseUnits } of node.transfersIn(block)) {
      if (token === asset && from === watchKey && to !== from) sent += amountBaseUnits;
    }
    return sent;
  }

  function stolenIn({ silent }: FakeBlock, account: Account): bigint {
    const taken = silent.filter((change) => change.baseUnits < 0n && accountKey(change) === accountKey(account));
    return -sum(taken.map(({ baseUnits }) => baseUnits));
  }

  /** Where the best branch has a payment with its own transaction; amounts are compared as sums. */
  function truthOf(outputId: string): OutputStatus {
    const block = bestPayments().get(outputId);
    if (block !== undefined) return { kind: 'block', height: block.height, blockHash: block.hash };
    const waits = node.waiting().some(({ txid }) => outputId.startsWith(txid));
    return waits ? { kind: 'mempool' } : { kind: 'gone', reason: 'reorged' };
  }

  /**
   * Compares reports about a payment's own transaction; those from balances are summed at the end.
   */
  function isTrue({ outputId, status }: Observation): boolean {
    const kind = outputKind(outputId).kind;
    if (kind === 'native' || kind === 'token') {
      return isSameLocation(status, truthOf(outputId)) || isWaiting(outputId, status);
    }
    if (!('height' in status)) return true;
    return node.bestBranch()[status.height]?.hash === status.blockHash;
  }

  /** The pending transaction may emit a log with this index again, or with another. */
  function isWaiting(outputId: string, status: OutputStatus): boolean {
    const isKnown = node.waiting().some(({ txid }) => outputId.startsWith(txid));
    return isKnown && (status.kind === 'mempool' || status.kind === 'gone');
  }

  return { bestPayments, everyClaim, creditOf, arrivedIn, stolenIn, truthOf, isTrue, isWaiting };
}

export function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, each) => total + each, 0n);
}

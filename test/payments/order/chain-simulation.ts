import type { CryptoSymbol } from '../../../machines/index.ts';
import { DUE, type StartedPayment } from '../watching/sink-support.ts';
import type { PlayedChain, PlayedTransaction } from './chain.ts';
import type { ChainEvent, Paying } from './history-event.ts';
import { createTimeline, type Timeline } from './timeline.ts';

/** What a transaction pays to the address of one payment. */
export interface Sent {
  readonly txid: string;
  readonly payment: number;
  readonly watchKey: string;
  readonly asset: CryptoSymbol;
  /** Transactions of one lineage spend the same coin or use the same nonce. */
  readonly lineage: string;
  readonly amount: bigint;
}

/** The customers and miners of one history. */
export interface ChainSimulation {
  readonly sent: readonly Sent[];
  readonly timeline: Timeline;
  apply(each: ChainEvent): void;
  /** Mines everything that is pending, and enough blocks on top to reach this depth. */
  mineToDepth(depth: number): void;
}

export function createChainSimulation<T extends PlayedTransaction>(
  chain: PlayedChain<T>,
  payments: readonly StartedPayment[],
): ChainSimulation {
  const { node } = chain;
  const sent: Sent[] = [];
  const transactions = new Map<string, T>();
  const timeline = createTimeline(node);

  function pay(to: readonly number[], { share, way }: Paying, lineage: string | null, addsInput: boolean): void {
    const amount = (DUE * BigInt(share)) / 1_000n;
    const watchKeyOf = (payment: number) => payments[payment]?.watchKey ?? '';
    const recipients = to.map((payment) => {
      return { watchKey: watchKeyOf(payment), crypto: chain.cryptoOf(payment), amount };
    });
    const made = chain.pay(recipients, { way, lineage, addsInput, salt: transactions.size });
    if (!node.submit(made.transaction)) return;
    const { txid } = made.transaction;
    transactions.set(txid, made.transaction);
    for (const payment of to) {
      const account = { watchKey: watchKeyOf(payment), asset: chain.cryptoOf(payment) };
      sent.push({ txid, payment, ...account, lineage: made.lineage, amount });
    }
  }

  function waiting(): Sent[] {
    const listed = new Set(node.waiting().map(({ txid }) => txid));
    return sent.filter(({ txid }) => listed.has(txid));
  }

  function reorganise(each: Extract<ChainEvent, { kind: 'reorganise' }>): void {
    const { depth, mined, returned, replaced } = each;
    const branch = node.bestBranch();
    const fork = branch[branch.length - 1 - depth];
    const undone = branch.slice(-depth);
    if (fork === undefined || !chain.mayUndo(undone)) return;
    const reorged = undone.flatMap((block) => block.transactions);
    const candidates = [...reorged, ...node.waiting()];
    let tip = node.build(
      fork.hash,
      candidates.filter((_, index) => isSet(mined, index)),
    );
    for (let length = 1; length <= depth; length += 1) tip = node.build(tip.hash, []);
    const back = new Set(reorged.filter((_, index) => isSet(returned, index)).map(({ txid }) => txid));
    node.setBest(tip.hash, (txid) => back.has(txid));
    const sentAnew = new Set(reorged.filter((_, index) => isSet(replaced, index)).map(({ txid }) => txid));
    for (const old of sent.filter(({ txid }) => sentAnew.has(txid))) pay([old.payment], each, old.lineage, false);
  }

  function submitAgain(pick: number): void {
    const { present } = timeline.now();
    const lost = [...transactions.values()].filter(({ txid }) => !present.has(txid));
    const old = pickOf(lost, pick);
    if (old !== undefined) node.submit(old);
  }

  function change(each: ChainEvent): void {
    switch (each.kind) {
      case 'pay':
        return pay(
          [...new Set([each.payment, ...(each.isShared ? [(each.payment + 1) % payments.length] : [])])],
          each,
          null,
          true,
        );
      case 'replace': {
        const mined = new Set(timeline.recentBlocks().flatMap((block) => block.transactions.map(({ txid }) => txid)));
        const unmined = sent.filter(({ txid }) => !mined.has(txid));
        const old = pickOf(unmined, each.pick);
        return old === undefined ? undefined : pay([old.payment], each, old.lineage, each.addsInput);
      }
      case 'pay elsewhere': {
        const old = pickOf(waiting(), each.pick);
        if (old !== undefined) node.submit(chain.payElsewhere(old.lineage, transactions.size));
        return;
      }
      case 'evict': {
        const old = pickOf(waiting(), each.pick);
        return old === undefined ? undefined : node.drop(old.txid);
      }
      case 'send again':
        return submitAgain(each.pick);
      case 'mine':
        return node.mine(node.waiting().filter((_, index) => isSet(each.mask, index)));
      case 'reorganise':
        return reorganise(each);
      case 'time passes':
        node.time.timeSeconds += each.seconds;
        return;
      case 'tracing changes':
      case 'logs lag':
      case 'the mempool loads':
        return chain.change(each);
    }
  }

  return {
    sent,
    timeline,
    apply(each) {
      change(each);
      timeline.record();
    },
    mineToDepth(depth) {
      node.mine(node.waiting());
      for (let height = 0; height < depth; height += 1) node.mine([]);
      timeline.record();
    },
  };
}

// Helpers

function isSet(mask: number, index: number): boolean {
  return ((mask >> (index % 8)) & 1) === 1;
}

function pickOf<T>(list: readonly T[], pick: number): T | undefined {
  return list[pick % Math.max(1, list.length)];
}

import { buildTransaction, type BuiltTransaction } from '../../chains/support/raw-builder.ts';
import { coin, type FakeUtxoNode, script } from '../../support/fake-utxo-node.ts';
import { DUE, type StartedPayment } from '../sink-support.ts';
import type { ChainHappening, Share } from './history.ts';

/** A transaction that pays one of our addresses. */
export interface Sent {
  readonly made: BuiltTransaction;
  readonly payment: number;
  /** Transactions with the same lineage spend the same coin. */
  readonly lineage: string;
  readonly amount: bigint;
}

/** What was in the best chain or in the mempool between two happenings. */
export interface Moment {
  readonly at: number;
  readonly present: ReadonlySet<string>;
}

/** Blocks at the end of the best chain in which transactions of one history can be. */
const RECENT_BLOCKS = 400;

let coins = 0;

/** The customers and miners of one history. */
export function createWorld(node: FakeUtxoNode, payments: readonly StartedPayment[]) {
  const sent: Sent[] = [];
  const moments: Moment[] = [];

  function nextCoin(): string {
    coins += 1;
    return coin(coins);
  }

  function pay(payment: number, share: Share, spends: readonly string[]): void {
    const amount = (DUE * BigInt(share)) / 1_000n;
    const scriptHex = payments[payment]?.watchKey ?? '';
    const made = buildTransaction(spends, [{ scriptHex, valueBaseUnits: amount }], sent.length);
    if (node.submit(made)) sent.push({ made, payment, lineage: spends[0] ?? '', amount });
  }

  function waiting(): Sent[] {
    const listed = new Set(node.mempool().map(({ txid }) => txid));
    return sent.filter(({ made }) => listed.has(made.txid));
  }

  function reorganise({ depth, mined, returned }: Extract<ChainHappening, { kind: 'reorganise' }>): void {
    const branch = node.bestBranch();
    const fork = branch[branch.length - 1 - depth];
    if (fork === undefined) return;
    const fallen = branch.slice(-depth).flatMap(({ transactions }) => transactions.slice(1));
    const candidates = [...fallen, ...node.mempool()];
    let tip = node.build(
      fork.hash,
      candidates.filter((_, place) => isSet(mined, place)),
    );
    for (let length = 1; length <= depth; length += 1) tip = node.build(tip.hash, []);
    const back = new Set(fallen.filter((_, place) => isSet(returned, place)).map(({ txid }) => txid));
    node.setBest(tip.hash, (txid) => back.has(txid));
  }

  function happen(each: ChainHappening): void {
    switch (each.kind) {
      case 'pay':
        pay(each.payment, each.share, [nextCoin(), nextCoin()]);
        break;
      case 'replace': {
        const old = pickOf(waiting(), each.pick);
        if (old !== undefined) pay(old.payment, each.share, [old.lineage, ...(each.addsInput ? [nextCoin()] : [])]);
        break;
      }
      case 'pay elsewhere': {
        const old = pickOf(waiting(), each.pick);
        const elsewhere = [{ scriptHex: script(0), valueBaseUnits: 1_000n }];
        if (old !== undefined) node.submit(buildTransaction([old.lineage], elsewhere, sent.length));
        break;
      }
      case 'evict': {
        const old = pickOf(waiting(), each.pick);
        if (old !== undefined) node.evict(old.made.txid);
        break;
      }
      case 'send again': {
        const { present } = momentNow();
        const lost = sent.filter(({ made }) => !present.has(made.txid));
        const old = pickOf(lost, each.pick);
        if (old !== undefined) node.submit(old.made);
        break;
      }
      case 'mine':
        node.mine(node.mempool().filter((_, place) => isSet(each.mask, place)));
        break;
      case 'reorganise':
        reorganise(each);
        break;
      case 'time passes':
        node.timeSeconds += each.seconds;
        break;
    }
    moments.push(momentNow());
  }

  function momentNow(): Moment {
    const recent = node.bestBranch().slice(-RECENT_BLOCKS);
    const listed = [...recent.flatMap(({ transactions }) => transactions), ...node.mempool()];
    return { at: node.timeSeconds * 1_000, present: new Set(listed.map(({ txid }) => txid)) };
  }

  return {
    sent,
    moments,
    happen,
    momentNow,
    /** Everything that waits is mined, and buried beneath as many blocks as make it deep. */
    bury(depth: number): void {
      node.mine();
      for (let height = 0; height < depth; height += 1) node.mine([]);
      moments.push(momentNow());
    },
  };
}

export type World = ReturnType<typeof createWorld>;

// Helpers

function isSet(mask: number, place: number): boolean {
  return ((mask >> (place % 8)) & 1) === 1;
}

function pickOf<T>(list: readonly T[], pick: number): T | undefined {
  return list[pick % Math.max(1, list.length)];
}

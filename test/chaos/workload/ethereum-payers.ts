import type { Random } from '../random.ts';
import type { EthereumChain, EthereumPayment } from './ethereum-chain.ts';
import type { ObservedState } from './observed-state.ts';
import { type ChaosPayment, shareOf } from './payment.ts';
import { PLANS } from './plans.ts';

/** Payers on the Ethereum chain, one round of payments at a time. */
export interface EthereumPayers {
  /** Payments made while the windows are open; with `movesLogs`, blocks are undone in between. */
  payInTime(payments: readonly ChaosPayment[]): Promise<void>;
  /** Payments made after the windows have closed, except those made hours later. */
  payLate(payments: readonly ChaosPayment[]): Promise<void>;
  payVeryLate(payments: readonly ChaosPayment[]): Promise<void>;
  /** Undoes blocks of this round after the close: in-time payments move to later blocks. */
  moveLate(payments: readonly ChaosPayment[]): Promise<void>;
  allShown(payments: readonly ChaosPayment[]): Promise<void>;
}

const MAX_BLOCKS = 3;
const PARTS = 3;

export function createEthereumPayers(deps: {
  readonly ethereum: EthereumChain;
  readonly observed: ObservedState;
  readonly random: Random;
  readonly movesLogs: boolean;
  /** Called with a description of every reorganisation. */
  readonly log: (what: string) => void;
}): EthereumPayers {
  const { ethereum, observed, random, movesLogs, log } = deps;
  const paid = new Map<string, bigint>();
  const paidTo = ({ id }: ChaosPayment) => paid.get(id) ?? 0n;

  async function payWave(payments: readonly ChaosPayment[], when: 'inTime' | 'late', part: number): Promise<void> {
    const group = random.shuffled(payments.filter(({ plan }) => PLANS[plan][when].length > part));
    if (group.length === 0) return;
    const wave = group.map((each) => paymentOf(each, when, part, random));
    await ethereum.pay(wave, random.between(1, MAX_BLOCKS));
    for (const [index, each] of group.entries()) paid.set(each.id, paidTo(each) + (wave[index]?.units ?? 0n));
  }

  async function undo(payments: readonly ChaosPayment[]): Promise<void> {
    if (payments.length === 0) return;
    const lost: string[] = [];
    for (const each of payments) {
      lost.push(await ethereum.payRevocably(paymentOf(each, 'inTime', 0, random)));
      paid.set(each.id, each.dueLitoshi);
    }
    await observed.shows(payments, paidTo);
    await ethereum.reorganise({ depth: lost.length, lost, isAtOnce: random.chance(0.5) });
    for (const { id } of payments) paid.set(id, 0n);
    await observed.shows(payments, paidTo);
  }

  async function move(isAtOnce: boolean): Promise<void> {
    const most = await ethereum.unsettledBlocks();
    if (!movesLogs || most === 0) return;
    const depth = random.between(1, most);
    log(
      `the newest ${depth} blocks of Ethereum are undone, and logs move (${isAtOnce ? 'at once' : 'block by block'})`,
    );
    await ethereum.reorganise({ depth, isAtOnce });
  }

  return {
    async payInTime(payments) {
      if (payments.length === 0) return;
      await ethereum.mine(1);
      await ethereum.settle();
      const plain = payments.filter(({ plan }) => plan !== 'undone');
      await payWave(plain, 'inTime', 0);
      await undo(payments.filter(({ plan }) => plan === 'undone'));
      for (let index = 1; index < PARTS; index += 1) {
        await move(random.chance(0.5));
        await payWave(plain, 'inTime', index);
      }
    },
    payLate: (payments) =>
      payWave(
        payments.filter(({ plan }) => plan !== 'very_late'),
        'late',
        0,
      ),
    payVeryLate: (payments) => payWave(payments, 'late', 0),
    async moveLate(payments) {
      if (payments.length > 0) await move(false);
    },
    allShown: (payments) => observed.shows(payments, paidTo),
  };
}

// Helpers

/**
 * Late coins are sent directly: transfers by contracts are detected only while the payment is open.
 */
function paymentOf(payment: ChaosPayment, when: 'inTime' | 'late', index: number, random: Random): EthereumPayment {
  const { crypto, address, dueLitoshi, plan } = payment;
  if (crypto === 'LTC') throw new Error(`${payment.id} is not paid on Ethereum`);
  const units = shareOf(dueLitoshi, PLANS[plan][when], index);
  return { crypto, address, units, isInternal: crypto === 'ETH' && when === 'inTime' && random.chance(0.5) };
}

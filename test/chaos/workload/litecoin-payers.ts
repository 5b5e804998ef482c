import type { UnixMs } from '../../../machines/index.ts';
import type { Random } from '../random.ts';
import type { LitecoinChain, PaidOutput } from './litecoin-chain.ts';
import type { ObservedState } from './observed-state.ts';
import { type ChaosPayment, shareOf } from './payment.ts';
import { NEEDS_OBSERVATION, PLANS } from './plans.ts';

/** Payers on the Litecoin chain, one round of payments at a time. */
export interface LitecoinPayers {
  /** Payments made while the windows are open. Calls `reorganise` in between. */
  payInTime(payments: readonly ChaosPayment[], reorganise: () => Promise<void>): Promise<void>;
  /** Payments made after the windows have closed, except those made hours later. */
  payLate(payments: readonly ChaosPayment[]): Promise<void>;
  /** Payments made more than six hours after the close. */
  payVeryLate(payments: readonly ChaosPayment[]): Promise<void>;
  /** Double-spends payments after the windows have closed. */
  takeBackLate(payments: readonly ChaosPayment[]): Promise<void>;
  /** Waits until the service shows all payments so far. */
  allShown(payments: readonly ChaosPayment[]): Promise<void>;
}

/** A payer such as an exchange pays up to this many shops in one transaction. */
const MAX_OUTPUTS = 25;
/** Coins sent closer to the close than this could count as in time or as late. */
const MARGIN_MS = 60_000;

export function createLitecoinPayers(deps: {
  chain: LitecoinChain;
  observed: ObservedState;
  random: Random;
  now: () => UnixMs;
}): LitecoinPayers {
  const { chain, observed, random, now } = deps;
  const paid = new Map<string, bigint>();
  const revocable = new Map<string, string>();

  const paidTo = ({ id }: ChaosPayment) => paid.get(id) ?? 0n;
  const recordPayment = ({ id }: ChaosPayment, litoshi: bigint) => void paid.set(id, (paid.get(id) ?? 0n) + litoshi);
  const txidOf = ({ id }: ChaosPayment) => {
    const txid = revocable.get(id);
    if (txid === undefined) throw new Error(`nothing was paid to ${id} that could be taken back`);
    return txid;
  };

  /** One part of all these payments, in transactions that pay several of them. */
  async function payWave(payments: readonly ChaosPayment[], percents: Percents, index: number): Promise<void> {
    const rest = random.shuffled(payments.filter((each) => percents(each).length > index));
    while (rest.length > 0) {
      const group = rest.splice(0, random.between(1, MAX_OUTPUTS));
      await chain.payMany(group.map((each) => outputOf(each, percents(each), index)));
      for (const each of group) recordPayment(each, shareOf(each.dueLitoshi, percents(each), index));
    }
  }

  async function payInTwoOutputs(payments: readonly ChaosPayment[]): Promise<void> {
    for (const each of payments) {
      const second = shareOf(each.dueLitoshi, PLANS[each.plan].inTime, 1);
      const first = outputOf(each, PLANS[each.plan].inTime, 0);
      await chain.payTwice(first, second);
      recordPayment(each, first.litoshi + second);
    }
  }

  async function payRevocably(payments: readonly ChaosPayment[]): Promise<void> {
    for (const each of payments) {
      const txid = await chain.payRevocably(outputOf(each, PLANS[each.plan].inTime, 0));
      revocable.set(each.id, txid);
      recordPayment(each, each.dueLitoshi);
      if (each.plan !== 'undone') await chain.withhold(txid);
    }
  }

  async function takeBack(payments: readonly ChaosPayment[]): Promise<void> {
    for (const each of payments) {
      await chain.takeBack(txidOf(each));
      paid.set(each.id, 0n);
    }
    await observed.shows(payments, paidTo);
  }

  /** Each payment is mined, shown by the service, and removed by a reorganisation. */
  async function undo(payments: readonly ChaosPayment[]): Promise<void> {
    if (payments.length === 0) return;
    await chain.mine(1);
    await observed.shows(payments, paidTo);
    await chain.reorganise(1, payments.map(txidOf));
    for (const { id } of payments) paid.set(id, 0n);
    await observed.shows(payments, paidTo);
  }

  return {
    async payInTime(payments, reorganise) {
      const of = (...plans: readonly string[]) => payments.filter(({ plan }) => plans.includes(plan));
      const plain = payments.filter(({ plan }) => plan !== 'two_outputs' && !NEEDS_OBSERVATION.has(plan));
      await payWave(plain, inTime, 0);
      await payInTwoOutputs(of('two_outputs'));
      await payRevocably(payments.filter(({ plan }) => NEEDS_OBSERVATION.has(plan)));
      await undo(of('undone'));
      await payWave(plain, inTime, 1);
      const takenBack = of('taken_back', 'taken_back_and_paid');
      await observed.shows(takenBack, paidTo);
      await takeBack(takenBack);
      await reorganise();
      await payWave(plain, inTime, 2);
      await payWave(of('taken_back_and_paid'), inTime, 0);
      const closesFirst = Math.min(...payments.map(({ expiresAt }) => expiresAt));
      if (now() > closesFirst - MARGIN_MS) throw new Error('Paying took so long that windows have closed meanwhile');
    },
    async payLate(payments) {
      await payWave(
        payments.filter(({ plan }) => plan !== 'very_late'),
        late,
        0,
      );
    },
    payVeryLate: (payments) => payWave(payments, late, 0),
    async takeBackLate(payments) {
      const waiting = payments.filter(({ plan }) => plan === 'taken_back_late');
      await observed.windowsClosed(waiting);
      await takeBack(waiting);
    },
    allShown: (payments) => observed.shows(payments, paidTo),
  };
}

// Helpers

type Percents = (payment: ChaosPayment) => readonly number[];

const inTime: Percents = ({ plan }) => PLANS[plan].inTime;
const late: Percents = ({ plan }) => PLANS[plan].late;

function outputOf(payment: ChaosPayment, percents: readonly number[], index: number): PaidOutput {
  return { address: payment.address, litoshi: shareOf(payment.dueLitoshi, percents, index) };
}

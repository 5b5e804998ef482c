import { formatCoins } from '../../../machines/index.ts';
import type { TransactionView } from '../../../src/payments/index.ts';
import type { Deadline } from '../deadline.ts';
import type { MerchantClient } from './merchant-client.ts';
import { type ChaosPayment, litoshiOf, shareOf } from './payment.ts';
import { PLANS, type PlanName } from './plans.ts';

/** Payers on the simulated network, whose chain is moved by requests, which can be lost. */
export interface SimulatedPayers {
  /** Payments made while the window is open. */
  payInTime(payment: ChaosPayment): Promise<void>;
  /** Payments made after it; advances the payment's own clock where the window must have passed. */
  payLate(payment: ChaosPayment): Promise<void>;
}

const DECIMALS = 8;
const PAST_WINDOW_SECONDS = 11 * 60;
const SETTLED: ReadonlySet<string> = new Set(['confirmed', 'replaced']);
/** Simulated blocks cannot be undone before they are final: `undone` acts like `taken_back`. */
const TAKEN_BACK: ReadonlySet<PlanName> = new Set(['taken_back', 'undone', 'taken_back_and_paid']);
const UNCONFIRMED: ReadonlySet<PlanName> = new Set(['taken_back', 'undone', 'taken_back_late']);
const PAST_LATENESS_SECONDS = 6 * 3_600 + PAST_WINDOW_SECONDS;

export function createSimulatedPayers(deps: {
  client: MerchantClient;
  key: string;
  deadline: Deadline;
}): SimulatedPayers {
  const { client, key, deadline } = deps;

  /**
   * Runs an action once. When its response was lost, only the payment shows whether it happened,
   * and a request still in flight may run after that check: then the outcome is no longer certain
   * to follow the plan.
   */
  async function act(payment: ChaosPayment, body: Readonly<Record<string, unknown>>, isDone: Look): Promise<void> {
    await deadline.until(
      async () => {
        const outcome = await client.simulate(key, payment.id, body);
        if (outcome === 'done') return true;
        if (isDone(await client.get(key, payment.id))) return true;
        payment.isUncertain = true;
        return outcome === 'refused' ? true : null;
      },
      () => `${JSON.stringify(body)} of ${payment.id} was not answered`,
    );
  }

  async function send(payment: ChaosPayment, action: string, litoshi: bigint, before: bigint): Promise<void> {
    const amount_crypto = Number(formatCoins(litoshi, DECIMALS));
    const expected = before + litoshi;
    await act(payment, { action, amount_crypto }, ({ amount_paid }) => litoshiOf(amount_paid) >= expected);
  }

  /**
   * Repeated until nothing is paid: a call takes back one transaction, and there is one for each
   * call that was repeated because its response was lost.
   */
  const takeBack = (payment: ChaosPayment) =>
    deadline.until(
      async () => {
        const outcome = await client.simulate(key, payment.id, { action: 'double_spend' });
        const { amount_paid } = await client.get(key, payment.id);
        if (outcome !== 'done' || amount_paid !== 0) payment.isUncertain = true;
        return amount_paid === 0 || null;
      },
      () => `the payments of ${payment.id} were not taken back`,
    );
  /**
   * Repeated until confirmed: an interrupted call leaves coins in a block that is not polled again.
   */
  const confirm = ({ id }: ChaosPayment) =>
    deadline.until(
      async () => {
        await client.simulate(key, id, { action: 'confirm' });
        const { payments } = await client.get(key, id);
        return (payments.length > 0 && payments.every(({ status }) => SETTLED.has(status))) || null;
      },
      () => `the payments of ${id} were not confirmed`,
    );

  return {
    async payInTime(payment) {
      const { inTime } = PLANS[payment.plan];
      let sent = 0n;
      for (const index of inTime.keys()) {
        const litoshi = shareOf(payment.dueLitoshi, inTime, index);
        await send(payment, 'pay_partial', litoshi, sent);
        sent += litoshi;
      }
      if (TAKEN_BACK.has(payment.plan)) await takeBack(payment);
      if (payment.plan === 'taken_back_and_paid') await send(payment, 'pay_partial', payment.dueLitoshi, 0n);
      if (sent > 0n && !UNCONFIRMED.has(payment.plan)) await confirm(payment);
    },

    async payLate(payment) {
      const { inTime, late } = PLANS[payment.plan];
      const before = inTime.reduce((sum, _, index) => sum + shareOf(payment.dueLitoshi, inTime, index), 0n);
      const litoshi = shareOf(payment.dueLitoshi, late, 0);
      if (payment.plan === 'taken_back_late') {
        await advance(payment, PAST_WINDOW_SECONDS);
        await takeBack(payment);
      } else if (payment.plan === 'very_late') {
        await advance(payment, PAST_LATENESS_SECONDS);
        await send(payment, 'pay_partial', litoshi, before);
      } else if (late.length > 0) {
        await send(payment, 'pay_late', litoshi, before);
      }
    },
  };

  /** Advancing twice does no harm. */
  async function advance({ id }: ChaosPayment, seconds: number): Promise<void> {
    await deadline.until(
      async () => ((await client.simulate(key, id, { action: 'advance_clock', seconds })) === 'done' ? true : null),
      () => `the clock of ${id} was not moved`,
    );
  }
}

// Helpers

type Look = (view: TransactionView) => boolean;

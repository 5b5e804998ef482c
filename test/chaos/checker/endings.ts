import type { TransactionView } from '../../../src/payments/index.ts';
import type { ChaosPayment } from '../workload/payment.ts';
import { litoshiOf } from '../workload/payment.ts';
import { PLANS } from '../workload/plans.ts';
import { expectedEnding } from './expected.ts';
import type { CoinsByPayment } from './final-coins.ts';
import { type Finding, finding } from './violation.ts';

/**
 * Every payment must end as its final chain requires, show all of its coins, and be late or expired
 * only with reason.
 */
export function checkEndings(deps: {
  readonly payments: readonly ChaosPayment[];
  readonly views: ReadonlyMap<string, TransactionView>;
  readonly coins: CoinsByPayment;
}): Finding[] {
  const { payments, views, coins } = deps;
  const endings: string[] = [];
  const falseAlarms: string[] = [];
  const sums: string[] = [];
  let onChain = 0n;
  let shown = 0n;
  for (const payment of payments) {
    const view = views.get(payment.id);
    if (view === undefined) {
      endings.push(`${payment.id} is not there any more`);
      continue;
    }
    const own = coins.get(payment.id) ?? [];
    const expected = expectedEnding(own, { ...payment, withoutCoins: PLANS[payment.plan].withoutCoins });
    const is = { status: view.status, exception: view.exception ?? null };
    if (expected.status !== is.status || expected.exception !== is.exception) {
      const line = `${payment.id} (${payment.network}, ${payment.plan}) is ${sent(is)} and should be ${sent(expected)}`;
      endings.push(line);
      if (expected.status === 'completed' || (is.exception === 'paid_late' && expected.exception === null))
        falseAlarms.push(line);
    }
    const paid = own.reduce((sum, { litoshi }) => sum + litoshi, 0n);
    onChain += paid;
    shown += litoshiOf(view.amount_paid);
    if (litoshiOf(view.amount_paid) !== paid) {
      sums.push(`${payment.id} (${payment.plan}) shows ${litoshiOf(view.amount_paid)} litoshi; its chain has ${paid}`);
    }
  }
  if (onChain !== shown) sums.push(`all payments show ${shown} litoshi; the chains have ${onChain}`);
  return [
    finding('every payment is in the state that its final chain says', payments.length, endings),
    finding('nothing that was paid in time is expired or late', payments.length, falseAlarms),
    finding('sums of payments equal those of the chain', payments.length, sums),
  ];
}

// Helpers

function sent({ status, exception }: { readonly status: string; readonly exception: string | null }): string {
  return exception === null ? status : `${status} (${exception})`;
}

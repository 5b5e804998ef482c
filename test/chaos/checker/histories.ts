import { type Kysely, sql } from 'kysely';
import { publicStateOf } from '../../../machines/index.ts';
import type { Database } from '../../../src/platform/db/index.ts';
import type { ChaosPayment } from '../workload/payment.ts';
import { PLANS } from '../workload/plans.ts';
import { expectedEnding } from './expected.ts';
import type { CoinsByPayment } from './final-coins.ts';
import { type Finding, finding } from './violation.ts';

/** States of each payment in order, from its journal, by transaction id. */
export type Histories = ReadonlyMap<string, readonly string[]>;

/**
 * A payment whose coins were sent in time, and were not taken back by the payer for good, must
 * never have been failed, expired or paid_late: even a state corrected later has been sent to the
 * merchant.
 */
export function checkHistories(deps: {
  readonly payments: readonly ChaosPayment[];
  readonly coins: CoinsByPayment;
  readonly histories: Histories;
}): Finding {
  const { payments, coins, histories } = deps;
  const inTime = payments.filter((payment) => {
    const { withoutCoins } = PLANS[payment.plan];
    return expectedEnding(coins.get(payment.id) ?? [], { ...payment, withoutCoins }).status === 'completed';
  });
  const violations = inTime.flatMap((payment) => {
    const { id, network, crypto, plan } = payment;
    const states = histories.get(id) ?? [];
    const changes = states.filter((state, index) => state !== states[index - 1]).join(', ');
    if (states.length === 0) return [`${id} (${network}, ${crypto}, ${plan}) has no history`];
    return states.some(isUntrueOfPaidInTime) ? [`${id} (${network}, ${crypto}, ${plan}) was ${changes}`] : [];
  });
  return finding('no in-time payment was ever failed, expired or paid_late', inTime.length, violations);
}

export async function readHistories(db: Kysely<Database>): Promise<Histories> {
  const { rows } = await sql<{ id: string; states: readonly string[] }>`
    select entry.actor_id as id, array_agg(entry.state order by entry.sequence) as states
    from journal_entry entry join transaction on transaction.id = entry.actor_id
    where entry.outcome in ('started', 'applied') group by entry.actor_id`.execute(db);
  return new Map(rows.map(({ id, states }) => [id, states]));
}

// Helpers

function isUntrueOfPaidInTime(state: string): boolean {
  const { status, exception } = publicStateOf(state);
  return status === 'failed' || status === 'expired' || exception === 'paid_late';
}

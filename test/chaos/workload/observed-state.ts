import { type Kysely, sql } from 'kysely';
import type { Database } from '../../../src/platform/db/index.ts';
import type { Deadline } from '../deadline.ts';
import type { MerchantClient } from './merchant-client.ts';
import { type ChaosPayment, litoshiOf } from './payment.ts';

/** What the service has seen so far, found out through its API as payers would. */
export interface ObservedState {
  /** Waits until the API shows exactly what was paid. */
  shows(payments: readonly ChaosPayment[], paid: (payment: ChaosPayment) => bigint): Promise<void>;
  /** Waits until the service has closed the payment windows. */
  windowsClosed(payments: readonly ChaosPayment[]): Promise<void>;
}

const IDS_PER_LIST = 100;

export function createObservedState(deps: {
  client: MerchantClient;
  key: string;
  db: Kysely<Database>;
  deadline: Deadline;
}): ObservedState {
  const { client, key, db, deadline } = deps;

  async function showsPart(payments: readonly ChaosPayment[], paid: (payment: ChaosPayment) => bigint): Promise<void> {
    let waiting = payments;
    await deadline.until(
      async () => {
        const ids = waiting.map(({ id }) => id);
        const views = new Map((await client.list(key, ids)).map((view) => [view.transaction_id, view]));
        waiting = waiting.filter((each) => litoshiOf(views.get(each.id)?.amount_paid ?? 0) !== paid(each));
        return waiting.length === 0 || null;
      },
      () => `${waiting.length} payments do not show what was paid, ${waiting[0]?.id} among them`,
    );
  }

  return {
    async shows(payments, paid) {
      for (let start = 0; start < payments.length; start += IDS_PER_LIST) {
        await showsPart(payments.slice(start, start + IDS_PER_LIST), paid);
      }
    },
    async windowsClosed(payments) {
      if (payments.length === 0) return;
      const ids = payments.map(({ id }) => id);
      await deadline.until(
        async () => {
          const open = await countOpen(db, ids).catch(() => null);
          return open === 0 || null;
        },
        () => 'windows are still open',
      );
    },
  };
}

// Helpers

/** Counts open windows in the database: the API hides them while coins are pending. */
async function countOpen(db: Kysely<Database>, ids: readonly string[]): Promise<number> {
  const { rows } = await sql<{ open: number }>`
    select count(*)::int as open from actor
    where id = any(${ids}) and snapshot->'context'->>'windowClosed' <> 'true'`.execute(db);
  return rows[0]?.open ?? 0;
}

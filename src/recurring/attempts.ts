import { type Kysely, type RawBuilder, sql } from 'kysely';
import { type Database, unnestRows } from '../platform/db/index.ts';
import { currentStateOf } from '../platform/engine/index.ts';

/** A payment that was opened for a period. */
export interface Attempt {
  readonly id: string;
  readonly hasCoins: boolean;
}

export interface PeriodKey {
  readonly scheduleId: string;
  readonly periodNo: number;
}

/**
 * The payments that are open, completed, awaiting the merchant's decision, or failed with coins
 * that may still be confirmed, newest first. Confirmed coins that were rejected, and lost ones, are
 * left to the merchant.
 */
export async function readAttempts(
  db: Kysely<Database>,
  { scheduleId, periodNo }: PeriodKey,
): Promise<readonly Attempt[]> {
  const { rows } = await sql<Attempt>`
    select id, "hasCoins" from (
      select id, status, created_at, ${HAS_COINS} as "hasCoins"
      from ${attemptsOf(sql`${scheduleId}`, sql`${periodNo}`)}
    ) as attempt
    where status = 'pending' or "hasCoins"
    order by created_at desc, id`.execute(db);
  return rows;
}

/** Positions of the periods for which coins have arrived, by the same rule as `readAttempts`. */
export async function findPeriodsWithCoins(
  db: Kysely<Database>,
  periods: readonly PeriodKey[],
): Promise<ReadonlySet<number>> {
  if (periods.length === 0) return new Set();
  const requested = periods.map(({ scheduleId, periodNo }, position) => {
    return { position, schedule_id: scheduleId, period_no: periodNo };
  });
  const { rows } = await sql<{ position: number }>`
    select position
    from ${unnestRows('requested', { int4: ['position', 'period_no'], text: ['schedule_id'] }, requested)}
    where exists (
      select from ${attemptsOf(sql`requested.schedule_id`, sql`requested.period_no`)} where ${HAS_COINS}
    )`.execute(db);
  return new Set(rows.map(({ position }) => position));
}

// Helpers

function attemptsOf(scheduleId: RawBuilder<unknown>, periodNo: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    select transaction.* from schedule_attempt join transaction on transaction.id = transaction_id
    where schedule_attempt.schedule_id = ${scheduleId} and schedule_attempt.period_no = ${periodNo}
  ) as transaction`;
}

/**
 * Coins that missed the confirmation deadline stay in the mempool or wait in a block, and become
 * `paid_late` once confirmed, also after the merchant has dismissed others, which leaves the
 * payment `expired`. Only while the address is watched: afterwards their rows never change.
 */
const HAS_UNCONFIRMED = sql<boolean>`(
  exists (select from ${currentStateOf(sql`transaction.id`)} as actor where actor.status = 'active')
  and exists (
    select from payment where payment.transaction_id = transaction.id and payment.status in ('detected', 'confirming')
      and (transaction.status = 'failed' or payment.given_up)
  ))`;

const HAS_COINS = sql<boolean>`(
  transaction.status in ('partial', 'awaiting_confirmation', 'completed') or transaction.exception is not null
  or (transaction.status in ('failed', 'expired') and ${HAS_UNCONFIRMED}))`;

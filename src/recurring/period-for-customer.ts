import type { Kysely } from 'kysely';
import { type CryptoSymbol, PAYABLE_AFTER_END_MS, type UnixMs } from '../../machines/index.ts';
import { callerForMerchant, recommendedFirst } from '../merchants/index.ts';
import { type CreateDeps, listPayableCryptos } from '../payments/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/index.ts';
import { type Attempt, readAttempts } from './attempts.ts';
import type { PeriodForCustomer } from './customer.ts';
import { findByToken, type TokenHolder, toScheduleForCustomer } from './customer-links.ts';

export interface PeriodDeps extends Pick<CreateDeps, 'db' | 'networks' | 'overview'> {
  readonly clock: Clock;
}

/** A period with what is needed to open a payment for it. */
export interface OpenPeriod {
  readonly row: TokenHolder['row'];
  readonly shown: PeriodForCustomer;
}

/** The period behind its permanent link; null if there is none. */
export async function findPeriod(deps: PeriodDeps, token: string): Promise<OpenPeriod | null> {
  const { db, clock } = deps;
  const holder = await findByToken(db, 'pay', token);
  if (holder === null || holder.periodNo === null) return null;
  const { row, periodNo } = holder;
  const [period, attempts] = await Promise.all([
    readPeriod(db, row.id, periodNo),
    readAttempts(db, { scheduleId: row.id, periodNo }),
  ]);
  if (period === null) return null;
  const attempt = attemptToShow(attempts);
  const { status, dueAt, transactionId: paidBy } = period;
  const isInProgress = attempt?.hasCoins ?? false;
  const isOpen = status !== 'paid' && isPayable(row, clock.now()) && !isInProgress;
  const shown = {
    schedule: toScheduleForCustomer(row),
    periodNo,
    status,
    dueAt,
    cryptos: isOpen ? await cryptosOf(deps, row) : [],
    transactionId: paidBy ?? attempt?.id ?? null,
    isInProgress: status !== 'paid' && isInProgress,
    isLost: period.loss === 'gone',
  };
  return { row, shown };
}

/**
 * Whether payments can be opened: not after a schedule was ended early, and for a limited time
 * after its last period. `now` is wall-clock time.
 */
export function isPayable(row: OpenPeriod['row'], now: UnixMs): boolean {
  const { ended_at: endedAt, end_reason: reason, clock_offset_ms: aheadMs } = row;
  return endedAt === null || (reason === 'finished' && now + aheadMs < endedAt + PAYABLE_AFTER_END_MS);
}

// Helpers

interface Period {
  readonly status: PeriodForCustomer['status'];
  readonly dueAt: UnixMs;
  readonly transactionId: string | null;
  readonly loss: 'unconfirmed' | 'gone' | null;
}

async function readPeriod(db: Kysely<Database>, scheduleId: string, periodNo: number): Promise<Period | null> {
  const row = await db
    .selectFrom('schedule_period')
    .leftJoin('transaction_status', 'transaction_status.id', 'schedule_period.transaction_id')
    .select(['schedule_period.status', 'due_at as dueAt', 'transaction_id as transactionId', 'loss'])
    .where('schedule_id', '=', scheduleId)
    .where('period_no', '=', periodNo)
    .executeTakeFirst();
  // A skipped period has no link.
  return row === undefined || row.status === 'skipped' ? null : { ...row, status: row.status };
}

/** A payment that has received coins takes precedence over one that has not. */
function attemptToShow(attempts: readonly Attempt[]): Attempt | null {
  return attempts.find(({ hasCoins }) => hasCoins) ?? attempts[0] ?? null;
}

async function cryptosOf(deps: PeriodDeps, row: TokenHolder['row']): Promise<CryptoSymbol[]> {
  const caller = await callerForMerchant(deps.db, { merchantId: row.merchant_id, mode: row.mode });
  const payable = await listPayableCryptos(deps, caller);
  return recommendedFirst(payable, caller.settings)
    .map(({ symbol }) => symbol)
    .filter((symbol) => row.crypto === null || symbol === row.crypto);
}

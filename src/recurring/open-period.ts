import type { CryptoSymbol, UnixMs } from '../../machines/index.ts';
import { type Caller, callerForMerchant } from '../merchants/index.ts';
import {
  ActiveTransactionError,
  type ClientHash,
  type CreateDeps,
  createTransaction,
  type PaymentOptions,
} from '../payments/index.ts';
import { TerminalError } from '../platform/errors.ts';
import { type CustomerLinks, enableLinks } from './customer-links.ts';
import { findPeriod, isPayable, type OpenPeriod, type PeriodDeps } from './period-for-customer.ts';

export interface OpenPeriodDeps extends PeriodDeps, CreateDeps {
  readonly clientHash: ClientHash;
  readonly links: CustomerLinks;
}

/**
 * Returns the id of the payment for a period, which is opened unless one can still be used; null
 * for an invalid token. The link is permanent and a quote is not, so several payments of a period
 * may expire. Repeated clicks open at most one payment per coin at a time. Throws `INVALID_STATE`,
 * `INVALID_CRYPTO` and what `createTransaction` throws.
 */
export async function openPeriod(deps: OpenPeriodDeps, token: string, crypto: CryptoSymbol): Promise<string | null> {
  const period = await findPeriod(deps, token);
  if (period === null) return null;
  const { row, shown } = period;
  if (shown.isInProgress && shown.transactionId !== null) return shown.transactionId;
  requireOpen(period, crypto, deps.clock.now());
  const caller = await callerForMerchant(deps.db, { merchantId: row.merchant_id, mode: row.mode });
  const customer = deps.clientHash(caller, JSON.stringify([row.id, shown.periodNo, crypto]));
  try {
    const { transaction } = await start(deps, { caller, period, crypto, clientHash: customer });
    return transaction.transaction_id;
  } catch (error) {
    if (error instanceof ActiveTransactionError) return error.openPayment.transaction_id;
    throw error;
  }
}

// Helpers

function requireOpen({ row, shown }: OpenPeriod, crypto: CryptoSymbol, now: UnixMs): void {
  if (shown.status === 'paid') throw new TerminalError('INVALID_STATE', 'This period is already paid');
  if (!isPayable(row, now)) throw new TerminalError('INVALID_STATE', 'These requests have ended: nothing more is due');
  if (shown.cryptos.includes(crypto)) return;
  throw new TerminalError('INVALID_CRYPTO', `This cannot be paid in ${crypto} at the moment`);
}

function start(
  deps: OpenPeriodDeps,
  {
    caller,
    period: { row, shown },
    crypto,
    clientHash,
  }: {
    readonly caller: Caller;
    readonly period: OpenPeriod;
    readonly crypto: CryptoSymbol;
    readonly clientHash: string;
  },
): ReturnType<typeof createTransaction> {
  const { links } = deps;
  const { id: scheduleId, metadata } = row;
  const { periodNo, schedule } = shown;
  const link = { purpose: 'pay', scheduleId, periodNo } as const;
  const request = {
    crypto,
    // Lossless: the stored digits came from a JavaScript number.
    amount: Number(row.amount_fiat),
    currencyFiat: schedule.currencyFiat,
    // Identifies the schedule and period in lists and webhooks.
    metadata: { ...metadata, schedule_id: scheduleId, period_no: periodNo },
    customerEmail: row.customer_email,
    successUrl: row.success_url,
    // An expired payment links back here, for a new quote.
    cancelUrl: links.urlOf(link),
  };
  const options: PaymentOptions = {
    clientHash,
    schedule: { scheduleId, periodNo },
    async onStarted(trx, transactionId) {
      await enableLinks(trx, links, [link]);
      await trx
        .insertInto('schedule_attempt')
        .values({ transaction_id: transactionId, schedule_id: scheduleId, period_no: periodNo })
        .execute();
    },
  };
  return createTransaction(deps, caller, request, null, options);
}

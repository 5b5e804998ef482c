import type { Kysely, Transaction } from 'kysely';
import {
  ASSETS,
  type CryptoSymbol,
  type FiatCurrency,
  formatCoins,
  type Mode,
  type PaymentStatus,
  type ScheduledPeriod,
  type TransactionContext,
  type TransactionException,
  type TransactionStatus,
  type TransactionType,
  type UnixMs,
} from '../../../machines/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { findActorRow, readClockOffset, readJournal } from '../../platform/engine/index.ts';
import { isId } from '../../platform/ids.ts';
import { CHAIN_ADDRESSING, type NetworkKind, parseNetworkName } from '../../wallets/index.ts';
import { type AttentionItem, attentionOfPayment } from '../attention/list-attention.ts';
import type { LineItem } from '../projection/attachment.ts';
import { SHOWN_LOSS, type ShownLoss } from '../projection/loss.ts';
import { fiatLeft, fiatWorth } from '../view/fiat-worth.ts';
import { transactionNotFound } from '../view/get-transaction.ts';
import { confirmationsOf, paymentUrl } from '../view/merchant-view.ts';
import { SURPLUS } from '../view/surplus.ts';
import { heightGate } from '../watching/gate-names.ts';
import { readUnassigned, type UnassignedDeposit } from './read-unassigned.ts';
import type { TimelineSource } from './timeline.ts';

/** An amount in whole coins and in fiat at the rate locked at creation. Exact decimals. */
export interface CoinAndFiatAmount {
  readonly crypto: string;
  readonly fiat: string;
}

/** All details of a payment that its merchant can see. */
export interface PaymentDetail {
  readonly id: string;
  readonly mode: Mode;
  readonly type: TransactionType;
  /** See `TransactionView`. */
  readonly step: number;
  readonly status: TransactionStatus;
  readonly exception: TransactionException | null;
  readonly crypto: CryptoSymbol;
  readonly cryptoName: string;
  /** Like `bitcoin-testnet`. */
  readonly network: string;
  /** Display name of the chain, and its kind of network. */
  readonly chainName: string;
  readonly networkKind: NetworkKind | 'simulated';
  readonly depositAddress: string;
  readonly paymentUrl: string;
  readonly due: CoinAndFiatAmount;
  readonly paid: CoinAndFiatAmount;
  readonly remaining: CoinAndFiatAmount;
  readonly excess: CoinAndFiatAmount;
  readonly amountUsd: string;
  readonly currencyFiat: FiatCurrency;
  /** USD per whole coin, and USD per unit of the fiat currency. */
  readonly exchangeRate: string;
  readonly fiatToUsdRate: string;
  readonly rateSources: readonly string[];
  /** Time of the oldest price in the two rates. */
  readonly ratesAt: UnixMs;
  readonly confirmationsRequired: number;
  readonly orderId: string | null;
  readonly customerEmail: string | null;
  readonly items: readonly LineItem[] | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly schedule: ScheduledPeriod | null;
  /** In order of first sighting. */
  readonly splits: readonly PaymentSplit[];
  /** Unassigned deposits: coins at its address that do not count, in order of first sighting. */
  readonly unassigned: readonly UnassignedDeposit[];
  /** Open items first. */
  readonly attention: readonly AttentionItem[];
  /** What the account lost without explanation, while it is under review. */
  readonly missing: CoinAndFiatAmount | null;
  readonly createdAt: UnixMs;
  readonly updatedAt: UnixMs;
  readonly expiresAt: UnixMs;
  readonly completedAt: UnixMs | null;
  readonly completedBy: 'chain' | 'merchant' | null;
  /** It is complete, but its coins are unconfirmed again, or gone. */
  readonly loss: ShownLoss | null;
  /** See `ViewVersion`. */
  readonly isExcessSettled: boolean;
  /** When unconfirmed coins must be in a block; null while none wait. */
  readonly confirmationDeadlineAt: UnixMs | null;
  /** Added to the wall clock for this payment only; 0 unless simulated. */
  readonly clockOffsetMs: number;
  /** Oldest first. */
  readonly journal: readonly TimelineSource[];
  /** The journal is truncated; the newest entries are missing. */
  readonly isJournalCut: boolean;
}

/** One on-chain output toward the payment. */
export interface PaymentSplit {
  readonly outputId: string;
  /** Null when no transaction explains the coins. */
  readonly txid: string | null;
  readonly amount: CoinAndFiatAmount;
  readonly confirmations: number;
  readonly status: PaymentStatus;
  readonly firstSeenAt: UnixMs;
  readonly confirmedAt: UnixMs | null;
  /** First seen after the payment window. */
  readonly isLate: boolean;
  /** Dismissed, rejected or settled: it pays nothing any more. */
  readonly isDeclined: boolean;
  /** Unconfirmed when the payment missed its deadline: it still counts once confirmed. */
  readonly isGivenUp: boolean;
  /** Another transaction spends its coins. */
  readonly isReplaced: boolean;
}

/** Hardly any payment has more steps; operators see all of them. */
const MAX_JOURNAL_STEPS = 2_000;

/**
 * One payment of a merchant, in either mode, from one database snapshot. Throws
 * `TRANSACTION_NOT_FOUND`, also for another merchant's; rejects with `RetryableError` without a
 * database.
 */
export async function readPaymentDetail(
  { db, publicUrl }: { readonly db: Kysely<Database>; readonly publicUrl: string },
  { merchantId, transactionId }: { readonly merchantId: string; readonly transactionId: string },
): Promise<PaymentDetail> {
  if (!isId('txn', transactionId)) throw transactionNotFound();
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => {
      const row = await trx
        .selectFrom('transaction')
        .selectAll()
        .select([SHOWN_LOSS.as('shown_loss'), SURPLUS.as('surplus')])
        .where('id', '=', transactionId)
        .where('merchant_id', '=', merchantId)
        .executeTakeFirst();
      const actor = row === undefined ? null : await findActorRow(trx, transactionId);
      if (row === undefined) throw transactionNotFound();
      // One more than is shown, to detect whether there are more.
      const journal: readonly TimelineSource[] = await readJournal(trx, transactionId, {
        limit: MAX_JOURNAL_STEPS + 1,
      });
      // Null once the archive has deleted the actor: a long finished payment, of which these rows
      // remain.
      const context = actor === null ? null : (actor.snapshot.context as TransactionContext);
      const crypto = row.crypto;
      const { decimals, name: cryptoName } = ASSETS[crypto];
      const { chain, kind, simulated } = parseNetworkName(row.network);
      const worth = (baseUnits: bigint): CoinAndFiatAmount => ({
        crypto: formatCoins(baseUnits, decimals),
        fiat: fiatWorth(baseUnits, { dueBaseUnits: row.due_base_units, amountFiat: row.amount_fiat }),
      });
      const missing = row.due_base_units - row.paid_base_units;
      const paid = worth(row.paid_base_units);
      return {
        id: row.id,
        mode: row.mode,
        type: row.type,
        step: row.step,
        status: row.status,
        exception: row.exception,
        crypto,
        cryptoName,
        network: row.network,
        chainName: CHAIN_ADDRESSING[chain].name,
        networkKind: simulated ? 'simulated' : kind,
        depositAddress: row.deposit_address,
        paymentUrl: paymentUrl(publicUrl, row.id),
        due: { crypto: row.amount_crypto, fiat: row.amount_fiat },
        paid,
        remaining: { ...worth(missing > 0n ? missing : 0n), fiat: fiatLeft(row.amount_fiat, paid.fiat) },
        excess: worth(missing < 0n ? -missing : 0n),
        amountUsd: row.amount_usd,
        currencyFiat: row.currency_fiat,
        exchangeRate: row.exchange_rate,
        fiatToUsdRate: row.fiat_to_usd_rate,
        rateSources: row.rate_sources,
        ratesAt: row.rates_at,
        confirmationsRequired: row.confirmations_required,
        orderId: row.order_id,
        customerEmail: row.customer_email,
        items: row.items as readonly LineItem[] | null,
        metadata: row.metadata as Readonly<Record<string, unknown>> | null,
        schedule: context === null ? await scheduleOf(trx, transactionId) : (context.schedule ?? null),
        splits: await readSplits(trx, row, worth),
        unassigned: await readUnassigned(trx, transactionId),
        attention: await attentionOfPayment(trx, transactionId),
        missing:
          row.exception === 'needs_review' && context !== null && context.review !== null
            ? worth(BigInt(context.review.missingBaseUnits))
            : null,
        createdAt: row.created_at,
        updatedAt: row.updated_at,
        expiresAt: row.expires_at,
        completedAt: row.completed_at,
        loss: row.shown_loss,
        isExcessSettled: row.surplus?.isSettled === true,
        completedBy: row.completed_by as 'chain' | 'merchant' | null,
        confirmationDeadlineAt: context?.confirmationDeadlineAt ?? null,
        clockOffsetMs: actor?.clock_offset_ms ?? (await readClockOffset(trx, transactionId)),
        journal: journal.slice(0, MAX_JOURNAL_STEPS),
        isJournalCut: journal.length > MAX_JOURNAL_STEPS,
      };
    });
}

// Helpers

/** The schedule period that it is for. */
async function scheduleOf(trx: Transaction<Database>, transactionId: string): Promise<ScheduledPeriod | null> {
  const row = await trx
    .selectFrom('schedule_attempt')
    .select(['schedule_id as scheduleId', 'period_no as periodNo'])
    .where('transaction_id', '=', transactionId)
    .executeTakeFirst();
  return row ?? null;
}

async function readSplits(
  trx: Transaction<Database>,
  {
    id,
    network,
    expires_at: expiresAt,
    confirmations_required: required,
  }: {
    readonly id: string;
    readonly network: string;
    readonly expires_at: number;
    readonly confirmations_required: number;
  },
  worth: (baseUnits: bigint) => CoinAndFiatAmount,
): Promise<readonly PaymentSplit[]> {
  const payments = await trx
    .selectFrom('payment')
    .selectAll()
    .where('transaction_id', '=', id)
    .orderBy('first_seen_at')
    .orderBy('output_id')
    .execute();
  if (payments.length === 0) return [];
  const mark = await trx
    .selectFrom('watermark')
    .select('height')
    .where('gate', '=', heightGate(network, id))
    .executeTakeFirst();
  return payments.map((payment) => ({
    outputId: payment.output_id,
    txid: payment.txid,
    amount: worth(payment.amount_base_units),
    confirmations: confirmationsOf(payment, mark?.height ?? null, required),
    status: payment.status,
    firstSeenAt: payment.first_seen_at,
    confirmedAt: payment.confirmed_at,
    isLate: payment.first_seen_at > expiresAt,
    isDeclined: payment.is_declined,
    isGivenUp: payment.given_up,
    isReplaced: payment.is_replaced,
  }));
}

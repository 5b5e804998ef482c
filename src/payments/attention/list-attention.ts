import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { CryptoSymbol, TransactionException, TransactionStatus, UnixMs } from '../../../machines/index.ts';
import { ASSETS, formatCoins } from '../../../machines/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { invalidCursor } from '../../platform/errors.ts';
import { IS_CONFIRMED_UNASSIGNED } from '../unassigned/is-confirmed-unassigned.ts';
import { fiatWorth } from '../view/fiat-worth.ts';
import type { Scope } from '../view/get-transaction.ts';
import { ORDER_NAME } from '../view/order-name.ts';
import type { MissedDeadline } from '../view/surplus.ts';
import { ATTENTION_KINDS, type AttentionKind } from './attention-of.ts';

/**
 * Something that needs or needed a person's attention. Amounts are exact decimals; fiat amounts use
 * the rate locked at creation.
 */
export interface AttentionItem {
  readonly transactionId: string;
  readonly kind: AttentionKind;
  readonly amountCrypto: string;
  readonly amountFiat: string;
  /** Increases with every change of the coins concerned, even if their sum stays the same. */
  readonly revision: number;
  readonly crypto: CryptoSymbol;
  readonly currencyFiat: string;
  /** Amount due and amount received. */
  readonly dueCrypto: string;
  readonly dueFiat: string;
  readonly paidCrypto: string;
  readonly paidFiat: string;
  /** The payment's step, see `TransactionView`. */
  readonly step: number;
  readonly status: TransactionStatus;
  readonly exception: TransactionException | null;
  /** Its order id; without one, what its metadata has as `order`. */
  readonly orderId: string | null;
  readonly customerEmail: string | null;
  /** Whether the coins concerned are verified at depth; until then they may still be lost. */
  readonly isConfirmed: boolean;
  /** Which of the coins concerned missed the confirmation deadline; others arrived late. */
  readonly missedDeadline: MissedDeadline;
  /** By the wall clock. */
  readonly raisedAt: UnixMs;
  readonly settledAt: UnixMs | null;
  /** Opaque user id; null while it is open, and when its reason went away. */
  readonly settledBy: string | null;
  readonly note: string | null;
}

export interface AttentionPage {
  readonly items: readonly AttentionItem[];
  /** `cursor` of the next page; null on the last. */
  readonly cursor: string | null;
}

export interface AttentionListRequest {
  readonly kind?: AttentionKind | undefined;
  readonly isSettled: boolean;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/**
 * Open items oldest first, but before them those whose coins are gone, because the shop may hand
 * over goods that are not paid; settled ones newest first. Throws `INVALID_CURSOR`.
 */
export async function listAttention(
  db: Kysely<Database>,
  scope: Scope,
  { kind, isSettled, cursor, limit }: AttentionListRequest,
): Promise<AttentionPage> {
  const moment = sql.ref(isSettled ? 'item.settled_at' : 'item.raised_at');
  const sortKey = sql`${moment}, item.transaction_id, item.kind`;
  const order = isSettled
    ? sql`item.settled_at desc, item.transaction_id desc, item.kind desc`
    : sql`${URGENCY}, ${sortKey}`;
  const after = cursor === undefined ? sql`true` : isAfter(sortKey, readCursor(cursor), isSettled);
  // Sorted and cut before the join, which reads a payment for each.
  const { rows } = await sql<ItemRow>`
      select ${ITEM_COLUMNS} from (
        select * from attention_item as item
        where ${scoped(scope)} and ${isSettled ? sql`item.settled_at is not null` : IS_OPEN}
          and ${kind === undefined ? sql`true` : sql`item.kind = ${kind}`} and ${after}
        order by ${order} limit ${limit + 1}
      ) as item join transaction on transaction.id = item.transaction_id
      order by ${order}`.execute(db);
  const items = rows.slice(0, limit).map(toItem);
  const last = items.at(-1);
  return { items, cursor: rows.length > limit && last !== undefined ? cursorOf(last) : null };
}

/** Number of open items, equal to the length of the list of open items. */
export async function countAttention(db: Kysely<Database>, scope: Scope): Promise<number> {
  const { rows } = await sql<{ open: number }>`
      select count(*) as open from attention_item as item where ${scoped(scope)} and ${IS_OPEN}`.execute(db);
  return rows[0]?.open ?? 0;
}

/** All items of one payment, open ones first. */
export async function attentionOfPayment(
  db: Kysely<Database>,
  transactionId: string,
): Promise<readonly AttentionItem[]> {
  const { rows } = await sql<ItemRow>`
    select ${ITEM_COLUMNS} from attention_item as item join transaction on transaction.id = item.transaction_id
    where item.transaction_id = ${transactionId}
    order by item.settled_at desc nulls first, item.raised_at, item.kind`.execute(db);
  return rows.map(toItem);
}

// Helpers

const MOST_URGENT: AttentionKind = 'coins_lost';
/** As in the index of open items, so a literal. */
const URGENCY = sql`case when item.kind = ${sql.lit(MOST_URGENT)} then 0 else 1 end`;

/** Shared by the list, the count and the index. */
const IS_OPEN = sql<boolean>`item.settled_at is null`;

function scoped({ merchantId, mode }: Scope): RawBuilder<boolean> {
  return sql`item.merchant_id = ${merchantId} and item.mode = ${mode}`;
}

const ITEM_COLUMNS = sql`
  item.transaction_id as "transactionId", item.kind, item.base_units as "baseUnits", item.revision, transaction.crypto,
  transaction.currency_fiat as "currencyFiat", transaction.due_base_units as "dueBaseUnits",
  transaction.amount_fiat as "dueFiat", transaction.paid_base_units as "paidBaseUnits", transaction.step,
  transaction.status, transaction.exception, ${ORDER_NAME} as "orderId",
  transaction.customer_email as "customerEmail",
  not exists (
    select 1 from payment
    where payment.transaction_id = item.transaction_id and item.output_ids ? payment.output_id
      and payment.status <> 'confirmed'
  ) and not (item.kind = 'unassigned_coins' and exists (
    select 1 from unassigned_payment
    where unassigned_payment.transaction_id = item.transaction_id and reason = 'too_many_outputs'
      and unassigned_payment.status <> 'gone' and not ${IS_CONFIRMED_UNASSIGNED} and (item.settled_at is not null or unassigned_payment.settled_at is null)
  )) as "isConfirmed",
  (
    select case when bool_and(payment.missed_deadline) then 'all'
      when bool_or(payment.missed_deadline) then 'some' else 'none' end
    from payment where payment.transaction_id = item.transaction_id and item.output_ids ? payment.output_id
  ) as "missedDeadline",
  item.raised_at as "raisedAt", item.settled_at as "settledAt", item.settled_by as "settledBy", item.note`;

interface ItemRow extends Omit<AttentionItem, 'amountCrypto' | 'amountFiat' | 'dueCrypto' | 'paidCrypto' | 'paidFiat'> {
  /** The coins concerned. */
  readonly baseUnits: bigint;
  readonly dueBaseUnits: bigint;
  readonly paidBaseUnits: bigint;
}

function toItem({ baseUnits, dueBaseUnits, paidBaseUnits, ...item }: ItemRow): AttentionItem {
  const { decimals } = ASSETS[item.crypto];
  const fiat = (amountBaseUnits: bigint) => fiatWorth(amountBaseUnits, { dueBaseUnits, amountFiat: item.dueFiat });
  return {
    ...item,
    amountCrypto: formatCoins(baseUnits, decimals),
    amountFiat: fiat(baseUnits),
    dueCrypto: formatCoins(dueBaseUnits, decimals),
    paidCrypto: formatCoins(paidBaseUnits, decimals),
    paidFiat: fiat(paidBaseUnits),
  };
}

interface AttentionCursor {
  readonly at: UnixMs;
  readonly transactionId: string;
  readonly kind: AttentionKind;
}

function cursorOf({ raisedAt, settledAt, transactionId, kind }: AttentionItem): string {
  return `${settledAt ?? raisedAt}.${transactionId}.${kind}`;
}

function readCursor(cursor: string): AttentionCursor {
  const [at = '', transactionId = '', kind = ''] = cursor.split('.');
  const known = ATTENTION_KINDS.find((each) => each === kind);
  if (/^\d{1,15}$/.test(at) && /^\w{1,64}$/.test(transactionId) && known !== undefined) {
    return { at: Number(at), transactionId, kind: known };
  }
  throw invalidCursor();
}

function isAfter(sortKey: RawBuilder<unknown>, { at, transactionId, kind }: AttentionCursor, isSettled: boolean) {
  const last = sql`to_timestamp(${at}::int8 / 1000.0), ${transactionId}::text, ${kind}::text`;
  if (isSettled) return sql`(${sortKey}) < (${last})`;
  return sql`(${URGENCY}, ${sortKey}) > (${kind === MOST_URGENT ? 0 : 1}::int4, ${last})`;
}

import { type RawBuilder, sql } from 'kysely';
import { ASSETS, CRYPTO_SYMBOLS, PAID_LATE_WINDOW_MS } from '../../../machines/index.ts';

/** Native coins of chains, as opposed to tokens. */
const NATIVE_COINS = CRYPTO_SYMBOLS.filter((symbol) => ASSETS[symbol].type === 'coin');

/** A condition of the index, literally: it leaves out the coins of chains without accounts. */
const HAS_ACCOUNT = sql`transaction.crypto not in ('BTC', 'LTC', 'DOGE', 'DASH')`;

/**
 * The conditions on `transaction_status`, named `transaction`, for payments of a network whose
 * account balances are compared; no payment meets both. Undecided payments, and expired payments in
 * the native coin while late coins still count. A contract can transfer native coins without a log,
 * so late coins may show only in the balance; tokens always leave a log. "Late" goes by how far the
 * network was scanned, not by a clock, like the timer that ends the monitoring.
 *
 * Each is a range of the index `transaction_open_account`: expired payments are kept for ever, so
 * they must not be read to find those of the last hours.
 */
export function openAccountConditions(network: string): readonly [RawBuilder<boolean>, RawBuilder<boolean>] {
  return [
    sql<boolean>`transaction.network = ${network} and ${HAS_ACCOUNT}
      and transaction.status in ('pending', 'partial', 'awaiting_confirmation')`,
    sql<boolean>`transaction.network = ${network} and ${HAS_ACCOUNT} and transaction.status = 'expired'
      and transaction.crypto = any(${NATIVE_COINS}::text[])
      and transaction.expires_at > coalesce(
        (select synced_until from chain_cursor where chain_cursor.network = ${network}), '-infinity'
      ) - make_interval(secs => ${PAID_LATE_WINDOW_MS / 1_000})`,
  ];
}

/** Whether a payment meets one of `openAccountConditions`. */
export function isOpenAccount(network: string): RawBuilder<boolean> {
  const [isUndecided, mayBeLate] = openAccountConditions(network);
  return sql<boolean>`(${isUndecided} or ${mayBeLate})`;
}

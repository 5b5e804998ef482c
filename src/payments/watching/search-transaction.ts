import { type Kysely, sql, type Transaction } from 'kysely';
import { HOUR_MS, type UnixMs } from '../../../machines/index.ts';
import type { Watcher } from '../../chains/index.ts';
import { type RequestAuthor, writeAudit } from '../../merchants/index.ts';
import type { Bus, BusHandler } from '../../platform/bus/index.ts';
import { classifyDatabaseError, type Database } from '../../platform/db/index.ts';
import { messageOf, RetryableError, TerminalError } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import { isSimulated } from '../../wallets/index.ts';
import { type SearchMessage, searchQueue } from '../queues.ts';
import { transactionNotFound } from '../view/get-transaction.ts';

export interface SearchDeps {
  readonly db: Kysely<Database>;
  readonly bus: Pick<Bus, 'publish'>;
  readonly log: Log;
}

export interface TransactionSearchInput {
  readonly merchantId: string;
  readonly paymentId: string;
  /** As an explorer shows it. */
  readonly txid: string;
  /** Its block, for nodes that cannot find a transaction by its id. */
  readonly height?: number | undefined;
  readonly author: RequestAuthor;
}

/** Searches of one merchant in an hour: each reads a block again. */
export const MAX_SEARCHES_PER_HOUR = 20;
/** How long a request waits for the search, in ms; the search continues after that. */
const WAIT_MS = 3_000;
const TXID = /^[0-9a-f]{64}$/;
const SEARCHED = 'payment.transaction_searched';

/**
 * Has the watcher of a payment's network look for a transaction that it has not seen. What it finds
 * reaches payments as any observation does; nothing else changes. Throws a `TerminalError`:
 * `INVALID_REQUEST` for a malformed txid, `TRANSACTION_NOT_FOUND`, also for another merchant's
 * payment, `INVALID_STATE` for a simulated payment, and `TOO_MANY_ATTEMPTS`.
 */
export async function requestSearch({ db, bus, log }: SearchDeps, input: TransactionSearchInput): Promise<void> {
  const { merchantId, paymentId, height, author } = input;
  const block = height === undefined ? {} : { height };
  const network = await findNetwork(db, merchantId, paymentId);
  const txid = readTxid(input.txid, network);
  const entry = { merchantId, what: SEARCHED, subjectId: paymentId, details: { network, txid, ...block } } as const;
  await db.transaction().execute(async (trx) => {
    await requireSearchesLeft(trx, merchantId, author.now);
    await writeAudit({ ...author, trx }, entry);
  });
  const data: SearchMessage = { txid, ...block };
  const id = `search:${paymentId}:${txid}:${author.now}`;
  const searched = bus.publish({ queue: searchQueue(network), partition: 0, id, data });
  await Promise.race([searched, waited()]);
  searched.catch((error: unknown) => log.warn({ network, reason: messageOf(error) }, 'a search was not accepted'));
}

export function createSearchHandler({ watcher, log }: { watcher: Watcher; log: Log }): BusHandler {
  return async ({ data }) => {
    const { txid, height: given } = data as SearchMessage;
    try {
      const { height, outputs } = await watcher.search(txid, given);
      log.info({ network: watcher.network, txid, height, outputs }, 'a transaction was searched');
    } catch (error) {
      const isLasting = classifyDatabaseError(error) === 'transient';
      if (error instanceof RetryableError && !isLasting) throw error;
      // A pruned block, say: trying again would not help, and nothing is lost.
      log.warn({ network: watcher.network, txid, reason: messageOf(error) }, 'a transaction cannot be searched');
    }
  };
}

// Helpers

async function findNetwork(db: Kysely<Database>, merchantId: string, paymentId: string): Promise<string> {
  const row = await db
    .selectFrom('transaction')
    .select('network')
    .where('id', '=', paymentId)
    .where('merchant_id', '=', merchantId)
    .executeTakeFirst();
  if (row === undefined) throw transactionNotFound();
  if (!isSimulated(row.network)) return row.network;
  throw new TerminalError('INVALID_STATE', 'This payment is simulated and has no transaction on a network.');
}

/** In the form the nodes use: lower case, with 0x on Ethereum only. */
function readTxid(text: string, network: string): string {
  const hex = text.trim().toLowerCase().replace(/^0x/, '');
  if (!TXID.test(hex)) {
    const message = 'txid must be a transaction hash: 64 characters 0-9 and a-f, as a block explorer shows it.';
    throw new TerminalError('INVALID_REQUEST', message, { field: 'txid' });
  }
  return network.startsWith('ethereum-') ? `0x${hex}` : hex;
}

/** Locks the merchant, so that searches at the same time count each other. */
async function requireSearchesLeft(trx: Transaction<Database>, merchantId: string, now: UnixMs): Promise<void> {
  await sql`select from merchant where id = ${merchantId} for no key update`.execute(trx);
  const { rows } = await sql<{ searches: number }>`
    select count(*)::int4 as searches from audit_entry
    where merchant_id = ${merchantId} and what = ${SEARCHED}
      and occurred_at > ${new Date(now - HOUR_MS)}`.execute(trx);
  if ((rows[0]?.searches ?? 0) < MAX_SEARCHES_PER_HOUR) return;
  throw new TerminalError(
    'TOO_MANY_ATTEMPTS',
    `There were ${MAX_SEARCHES_PER_HOUR} searches in the last hour; search again later.`,
  );
}

function waited(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, WAIT_MS).unref();
  });
}

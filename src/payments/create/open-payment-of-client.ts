import { sql, type Transaction } from 'kysely';
import type { CryptoSymbol, FiatCurrency } from '../../../machines/index.ts';
import { type Database, lockUntilCommit, unnestRows } from '../../platform/db/index.ts';
import type { StartDraft } from '../../platform/engine/index.ts';
import { TerminalError } from '../../platform/errors.ts';
import { isoTime } from '../../platform/iso-time.ts';
import type { TransactionAttachment } from '../projection/attachment.ts';
import type { ReadDeps, Scope } from '../view/get-transaction.ts';
import { paymentUrl } from '../view/merchant-view.ts';

/**
 * A customer has at most one open payment per merchant: pending, with nothing paid. So reloading a
 * page uses up no addresses.
 */

/** The open payment that a customer should continue. */
export interface OpenPayment {
  readonly transaction_id: string;
  readonly status: 'pending';
  readonly crypto: CryptoSymbol;
  /** Exact decimal. */
  readonly amount_fiat: string;
  readonly currency_fiat: FiatCurrency;
  readonly payment_url: string;
  readonly expires_at: string;
}

/** The customer already has an open payment. */
export class ActiveTransactionError extends TerminalError {
  override readonly name = 'ActiveTransactionError';
  readonly openPayment: OpenPayment;

  constructor(openPayment: OpenPayment) {
    super(
      'ACTIVE_TRANSACTION_EXISTS',
      'This customer already has an open payment: send them to the payment_url of existing_transaction, or wait until it is paid or expired',
    );
    this.openPayment = openPayment;
  }
}

/** Rejects a start inside its batch; the caller then looks up the conflicting payment. */
export class ClientIsBusyError extends TerminalError {
  override readonly name = 'ClientIsBusyError';

  constructor() {
    super('ACTIVE_TRANSACTION_EXISTS', 'This customer already has an open payment');
  }
}

/** The open payment of a customer; null when there is none. */
export async function findOpenPayment(
  { db, publicUrl }: ReadDeps,
  { merchantId, mode }: Scope,
  clientHash: string,
): Promise<OpenPayment | null> {
  const row = await db
    .selectFrom('transaction_status as opened')
    .innerJoin('transaction_terms', 'transaction_terms.id', 'opened.id')
    .select(['opened.id', 'opened.crypto', 'amount_fiat', 'currency_fiat', 'expires_at'])
    .where('opened.merchant_id', '=', merchantId)
    .where('opened.mode', '=', mode)
    .where('client_hash', '=', clientHash)
    .where('status', '=', 'pending')
    .where(sql<boolean>`paid_base_units = 0`)
    .orderBy('opened.created_at')
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    transaction_id: row.id,
    status: 'pending',
    crypto: row.crypto,
    amount_fiat: row.amount_fiat,
    currency_fiat: row.currency_fiat,
    payment_url: paymentUrl(publicUrl, row.id),
    expires_at: isoTime(row.expires_at),
  };
}

/**
 * The starts of a batch whose customer has an open payment, in the database or earlier in the
 * batch. Customers are locked until the batch commits, so of two processes that start a payment for
 * the same one, the second sees what the first did: the locks are taken in a separate statement,
 * and the next one sees everything committed before.
 */
export async function findBusyClients(
  trx: Transaction<Database>,
  drafts: readonly StartDraft[],
): Promise<ReadonlySet<StartDraft>> {
  const asking = drafts.flatMap((draft) => {
    const { clientHash } = draft.attachment as TransactionAttachment;
    const { merchantId, mode } = scopeOf(draft);
    return clientHash === undefined ? [] : [{ draft, merchant_id: merchantId, mode, client_hash: clientHash }];
  });
  if (asking.length === 0) return new Set();
  await lockUntilCommit(
    trx,
    asking.map(({ client_hash }) => `open payment of ${client_hash}`),
  );
  const { rows } = await sql<{ client_hash: string }>`
    select opened.client_hash
    from ${unnestRows('asking', { text: ['merchant_id', 'mode', 'client_hash'] }, asking)}
    join transaction_status as opened on opened.merchant_id = asking.merchant_id and opened.mode = asking.mode
      and opened.client_hash = asking.client_hash and opened.status = 'pending' and opened.paid_base_units = 0`.execute(
    trx,
  );
  // A hash belongs to one merchant and mode, so it identifies the customer alone.
  const busy = new Set(rows.map((row) => row.client_hash));
  const rejected = new Set<StartDraft>();
  for (const { draft, client_hash } of asking) {
    if (busy.has(client_hash)) rejected.add(draft);
    busy.add(client_hash);
  }
  return rejected;
}

// Helpers

function scopeOf({ input }: StartDraft): Scope {
  // `createTransaction` built the input; the engine passes it on as the JSON object it is.
  const { merchantId, mode } = input as unknown as Scope;
  return { merchantId, mode };
}

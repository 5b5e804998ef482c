import { ASSETS, type CryptoSymbol, formatCoins } from '../../../machines/index.ts';
import { TerminalError } from '../../errors.ts';
import { isId } from '../../ids.ts';
import { type Change, writeAudit } from '../../merchants/index.ts';
import type { AttentionKind } from './attention-of.ts';

export interface SettleRequest {
  readonly merchantId: string;
  readonly transactionId: string;
  readonly kind: AttentionKind;
  /** What was done about it, like "refunded": 1 to 500 characters. */
  readonly note: string;
  /** The amount that whoever settles it was looking at, in whole coins: nobody settles coins they have not seen. */
  readonly amountCrypto: string;
  /** An opaque user id. */
  readonly by: string;
}

export const MAX_NOTE_CHARACTERS = 500;

/** Kinds that end with a decision about the payment itself. */
const DECIDED: ReadonlySet<AttentionKind> = new Set<AttentionKind>(['paid_late', 'needs_review']);

/**
 * Puts an item aside because somebody has dealt with it, together with its entry in the audit. Throws a `TerminalError`:
 * `ATTENTION_NOT_FOUND`, also for another merchant's; `INVALID_STATE` when it is settled already, has changed since, or waits for a
 * decision; `INVALID_REQUEST` for a note that is empty or too long.
 */
export async function settleAttention(change: Change, request: SettleRequest): Promise<void> {
  const { trx, now } = change;
  const { merchantId, transactionId, kind, by } = request;
  const note = requireNote(request.note);
  // What cannot be an id may hold what the database cannot read.
  if (!isId('txn', transactionId)) throw attentionNotFound();
  const item = await trx
    .selectFrom('attention_item')
    .innerJoin('transaction', 'transaction.id', 'attention_item.transaction_id')
    .select(['settled_at', 'base_units', 'transaction.crypto'])
    .where('transaction_id', '=', transactionId)
    .where('kind', '=', kind)
    .where('attention_item.merchant_id', '=', merchantId)
    .forUpdate('attention_item')
    .executeTakeFirst();
  if (item === undefined) throw attentionNotFound();
  if (item.settled_at !== null) {
    throw new TerminalError('INVALID_STATE', 'Somebody has settled this already; the settled ones show who and how');
  }
  if (DECIDED.has(kind)) {
    throw new TerminalError(
      'INVALID_STATE',
      'This waits for a decision about the payment; decide and it settles itself',
    );
  }
  // Written by this folder, as it is read here.
  const amountCrypto = formatCoins(item.base_units, ASSETS[item.crypto as CryptoSymbol].decimals);
  if (amountCrypto !== request.amountCrypto) {
    const message = `The amount has changed meanwhile, it is ${amountCrypto} ${item.crypto} now; look again before you settle it`;
    throw new TerminalError('INVALID_STATE', message, { field: 'amountCrypto' });
  }
  await trx
    .updateTable('attention_item')
    .set({ settled_at: new Date(now), settled_by: by, note })
    .where('transaction_id', '=', transactionId)
    .where('kind', '=', kind)
    .execute();
  const details = { kind, note, amountCrypto, crypto: item.crypto };
  await writeAudit(change, { merchantId, what: 'attention.settled', subjectId: transactionId, details });
}

// Helpers

function attentionNotFound(): TerminalError {
  return new TerminalError('ATTENTION_NOT_FOUND', 'Nothing of this kind waits for this payment');
}

function requireNote(note: string): string {
  const text = note.trim();
  if (text !== '' && text.length <= MAX_NOTE_CHARACTERS && !UNSTORABLE.test(text)) return text;
  const message = `note must say what was done, in 1 to ${MAX_NOTE_CHARACTERS} characters`;
  throw new TerminalError('INVALID_REQUEST', message, { field: 'note' });
}

/** What the database cannot hold. */
const UNSTORABLE = /[\p{Surrogate}\0]/u;

import type { Transaction } from 'kysely';
import { ASSETS, type CryptoSymbol, formatCoins, type UnixMs } from '../../../machines/index.ts';
import type { Database } from '../../db/index.ts';
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
  /** The amount that was shown, in whole coins. */
  readonly amountCrypto: string;
  /** `AttentionItem.revision` that was shown: a user settles only coins that were on the screen. */
  readonly revision: number;
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
  if (kind === 'unassigned_coins') await lockDeposits(trx, transactionId);
  const item = await trx
    .selectFrom('attention_item')
    .innerJoin('transaction', 'transaction.id', 'attention_item.transaction_id')
    .select(['settled_at', 'base_units', 'revision', 'transaction.crypto'])
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
  if (item.revision !== request.revision) {
    const message = 'There are other coins now, of the same amount; look again before you settle it';
    throw new TerminalError('INVALID_STATE', message, { field: 'revision' });
  }
  await trx
    .updateTable('attention_item')
    .set({ settled_at: new Date(now), settled_by: by, note })
    .where('transaction_id', '=', transactionId)
    .where('kind', '=', kind)
    .execute();
  if (kind === 'unassigned_coins') await settleUnassigned(trx, transactionId, now);
  const details = { kind, note, amountCrypto, crypto: item.crypto };
  await writeAudit(change, { merchantId, what: 'attention.settled', subjectId: transactionId, details });
}

// Helpers

/**
 * What the sink locks before it records deposits: until the commit, no others are recorded or
 * vanish.
 */
async function lockDeposits(trx: Transaction<Database>, transactionId: string): Promise<void> {
  await trx.selectFrom('address').select('address').where('transaction_id', '=', transactionId).forUpdate().execute();
}

/**
 * Marks the coins that the item is about; they are settled also when they leave the chain and come
 * back.
 */
async function settleUnassigned(trx: Transaction<Database>, transactionId: string, now: UnixMs): Promise<void> {
  await trx
    .updateTable('stray_payment')
    .set({ settled_at: new Date(now) })
    .where('transaction_id', '=', transactionId)
    .where('reason', '=', 'too_many_outputs')
    .where('standing', '<>', 'gone')
    .where('settled_at', 'is', null)
    .execute();
}

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

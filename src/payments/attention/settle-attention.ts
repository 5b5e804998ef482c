import { sql, type Transaction } from 'kysely';
import { ASSETS, formatCoins, type UnixMs } from '../../../machines/index.ts';
import type { AuditedChange } from '../../merchants/index.ts';
import type { Database } from '../../platform/db/index.ts';
import type { Engine } from '../../platform/engine/index.ts';
import { TerminalError } from '../../platform/errors.ts';
import { isId } from '../../platform/ids.ts';
import { isStorable } from '../../platform/text.ts';
import type { SettlementEvent } from '../decide/decision.ts';
import { settleOpenItem } from './apply-settlements.ts';
import type { AttentionKind } from './attention-of.ts';

export interface SettleRequest {
  readonly merchantId: string;
  readonly transactionId: string;
  readonly kind: AttentionKind;
  /** What was done about it, like "refunded": 1 to 500 characters. */
  readonly note: string;
  /** The amount that the user saw, in whole coins. */
  readonly amountCrypto: string;
  /** The `AttentionItem.revision` the user saw, so that only coins on the screen are settled. */
  readonly revision: number;
  /** An opaque user id. */
  readonly by: string;
}

const MAX_NOTE_CHARACTERS = 500;

/** Kinds that are closed by a decision about the payment itself. */
const DECIDED: ReadonlySet<AttentionKind> = new Set<AttentionKind>(['paid_late', 'needs_review']);

/** Kinds that a payment must know to be settled while it is watched: it would still count them. */
const OF_COINS: ReadonlySet<AttentionKind> = new Set<AttentionKind>([
  'coins_lost',
  'underpaid',
  'overpaid',
  'coins_on_closed',
]);

type ConditionalOutcome = Awaited<ReturnType<Engine['deliverIf']>>['outcome'];

const MAX_ATTEMPTS = 3;

export interface SettleDeps {
  readonly engine: Pick<Engine, 'deliverIf'>;
  /** Runs work in a transaction, in the user's name. */
  readonly change: <T>(work: (change: AuditedChange) => Promise<T>) => Promise<T>;
}

/**
 * Settles an item that a person has dealt with, and writes the audit entry. A payment that is still
 * watched takes it as an event, whose step closes the item: coins of one that ended unpaid pay
 * nothing from then on, as they may have been refunded, nor does the surplus of a completed one.
 * Throws a `TerminalError`: `ATTENTION_NOT_FOUND`, also for another merchant's;
 * `INVALID_STATE` when it is already settled, has changed since, or waits for a decision;
 * `INVALID_REQUEST` for an empty or too long note.
 */
export async function settleAttention({ engine, change }: SettleDeps, request: SettleRequest): Promise<void> {
  const { transactionId: actorId, kind, revision, by } = request;
  const reason = requireNote(request.note);
  // Not `merchant:`, which begins the ids of decisions: a client chooses the rest of those.
  const eventId = `settlement:${kind}:${revision}`;
  let outcome: ConditionalOutcome = 'stale';
  // The payment may move on without a change of the item, which is examined again each time.
  for (let attempt = 0; attempt < MAX_ATTEMPTS && outcome === 'stale'; attempt += 1) {
    const watched = await change((audited) => settleItem(audited, { ...request, note: reason }));
    if (watched === null) return;
    const { expectedSequence, ...of } = watched;
    const event: SettlementEvent = { type: 'merchant.settled', by, reason, kind, ...of };
    ({ outcome } = await engine.deliverIf({ actorId, eventId, event: { ...event }, expectedSequence }));
  }
  if (outcome === 'failed') {
    throw new TerminalError(
      'DECISION_FAILED',
      'The settlement could not be applied; contact the operators of the service',
    );
  }
  if (outcome === 'applied') return;
  // If another user was first, this reports it; else the payment is still moving.
  await change((audited) => settleItem(audited, { ...request, note: reason }));
  throw changed('The payment has changed', 'revision');
}

// Helpers

/** What a watched payment must know, and its step that the item was read at. */
interface WatchedItem extends Omit<SettlementEvent, 'type' | 'by' | 'reason' | 'kind'> {
  readonly expectedSequence: number;
}

/** Settles the item and returns null, unless its payment must know it first. */
async function settleItem(change: AuditedChange, request: SettleRequest): Promise<WatchedItem | null> {
  const { trx, now } = change;
  const { merchantId, transactionId, kind, by, note } = request;
  // Anything that is not an id may contain characters the database rejects.
  if (!isId('txn', transactionId)) throw attentionNotFound();
  if (kind === 'unassigned_coins') await lockDeposits(trx, transactionId);
  const item = await trx
    .selectFrom('attention_item')
    .innerJoin('transaction', 'transaction.id', 'attention_item.transaction_id')
    .leftJoin('actor', 'actor.id', 'attention_item.transaction_id')
    .select(['settled_at', 'base_units', 'output_ids', 'attention_item.revision'])
    .select(['transaction.crypto', 'transaction.status', 'actor.status as actor_status', 'actor.sequence'])
    .where('transaction_id', '=', transactionId)
    .where('attention_item.kind', '=', kind)
    .where('attention_item.merchant_id', '=', merchantId)
    .forUpdate('attention_item')
    .executeTakeFirst();
  if (item === undefined) throw attentionNotFound();
  if (item.settled_at !== null) {
    throw new TerminalError(
      'INVALID_STATE',
      'This item is closed: a user has settled it, or its coins need something else now; see the settled items',
    );
  }
  if (DECIDED.has(kind)) {
    throw new TerminalError('INVALID_STATE', 'This item needs a decision about the payment, which settles it');
  }
  // Only this folder writes it.
  const amountCrypto = formatCoins(item.base_units, ASSETS[item.crypto].decimals);
  if (amountCrypto !== request.amountCrypto) {
    throw changed(`The amount is now ${amountCrypto} ${item.crypto}`, 'amountCrypto');
  }
  if (item.revision !== request.revision) throw changed('The coins have changed, with the same amount', 'revision');
  if (OF_COINS.has(kind) && item.actor_status === 'active' && item.sequence !== null) {
    const coins = { expectedSequence: item.sequence, outputIds: item.output_ids };
    if (item.status !== 'completed') return coins;
    const sum = item.base_units.toString();
    return kind === 'coins_lost' ? { ...coins, lossBaseUnits: sum } : { ...coins, surplusBaseUnits: sum };
  }
  await settleOpenItem(change, { merchantId, transactionId, crypto: item.crypto, kind, note, by });
  if (kind === 'unassigned_coins') await settleUnassigned(trx, transactionId, now);
  return null;
}

/** Acquires the sink's lock: until the commit, no deposits are recorded or removed. */
async function lockDeposits(trx: Transaction<Database>, transactionId: string): Promise<void> {
  await sql`
    select from transaction
    join address on address.network = transaction.network and address.address = transaction.deposit_address
    where transaction.id = ${transactionId} for update of address`.execute(trx);
}

/** Marks the item's coins as settled; they stay so even if they leave the chain and return. */
async function settleUnassigned(trx: Transaction<Database>, transactionId: string, now: UnixMs): Promise<void> {
  await trx
    .updateTable('unassigned_payment')
    .set({ settled_at: new Date(now) })
    .where('transaction_id', '=', transactionId)
    .where('reason', '=', 'too_many_outputs')
    .where('unassigned_payment.status', '<>', 'gone')
    .where('settled_at', 'is', null)
    .execute();
}

function changed(what: string, field: string): TerminalError {
  return new TerminalError('INVALID_STATE', `${what}; review the item again before you settle it`, { field });
}

function attentionNotFound(): TerminalError {
  return new TerminalError('ATTENTION_NOT_FOUND', 'This payment has no open item of that kind');
}

function requireNote(note: string): string {
  const text = note.trim();
  if (text !== '' && text.length <= MAX_NOTE_CHARACTERS && isStorable(text)) return text;
  const message = `note must describe what was done, in 1 to ${MAX_NOTE_CHARACTERS} characters`;
  throw new TerminalError('INVALID_REQUEST', message, { field: 'note' });
}

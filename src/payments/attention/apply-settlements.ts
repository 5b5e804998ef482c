import { sql, type Transaction } from 'kysely';
import { ASSETS, type CryptoSymbol, formatCoins } from '../../../machines/index.ts';
import { type AuditedChange, userAuthor, writeAudit } from '../../merchants/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { isSettlement } from '../decide/decision.ts';
import { withdrawLossEmails } from '../notices/notify-attention.ts';
import type { TransactionStep } from '../projection/transaction-step.ts';
import type { AttentionKind } from './attention-of.ts';

export interface Settlement {
  readonly merchantId: string;
  readonly transactionId: string;
  readonly crypto: CryptoSymbol;
  readonly kind: AttentionKind;
  readonly note: string;
  /** An opaque user id. */
  readonly by: string;
}

/**
 * Settles the items that these steps are about. The payment was at the step that the
 * user saw, so the stored item is what was on the screen.
 */
export async function applySettlements(trx: Transaction<Database>, steps: readonly TransactionStep[]): Promise<void> {
  for (const { actorId: transactionId, event, outcome, wallAt: now, context } of steps) {
    if (outcome !== 'applied' || !isSettlement(event)) continue;
    const { by, kind, reason: note } = event;
    const { merchantId, crypto } = context;
    const change = { trx, who: userAuthor(by), now };
    await settleOpenItem(change, { merchantId, transactionId, crypto, kind, note, by });
  }
}

/** Marks an open item as settled, all of it, and writes the audit entry. */
export async function settleOpenItem(change: AuditedChange, settlement: Settlement): Promise<void> {
  const { merchantId, transactionId, crypto, kind, note, by } = settlement;
  const settled = await change.trx
    .updateTable('attention_item')
    .set({ settled_at: new Date(change.now), settled_by: by, note, ...ALL_OF_IT })
    .where('transaction_id', '=', transactionId)
    .where('kind', '=', kind)
    .where('settled_at', 'is', null)
    .returning(['base_units', 'raised_at'])
    .executeTakeFirst();
  if (settled === undefined) return;
  if (kind === 'coins_lost') await withdrawLossEmails(change.trx, [{ transactionId, raisedAt: settled.raised_at }]);
  const details = { kind, note, amountCrypto: formatCoins(settled.base_units, ASSETS[crypto].decimals), crypto };
  await writeAudit(change, { merchantId, what: 'attention.settled', subjectId: transactionId, details });
}

// Helpers

const ALL_OF_IT = {
  settled_base_units: sql<string>`settled_base_units + base_units`,
  settled_output_ids: sql<string>`(
    select coalesce(jsonb_agg(distinct id), '[]') from jsonb_array_elements(settled_output_ids || output_ids) as id)`,
};

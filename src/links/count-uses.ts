import { sql, type Transaction } from 'kysely';
import type { Mode, UnixMs } from '../../machines/index.ts';
import { type MerchantNotice, notifyMerchantUsers } from '../mail/index.ts';
import { type CompletionHook, type OperatorAlert, raiseOperatorAlerts } from '../payments/index.ts';
import { type Database, settleAll, unnestRows } from '../platform/db/index.ts';
import { derivedId } from '../platform/ids.ts';
import { excessUseEmail } from './excess-use-email.ts';

/**
 * Counts payments toward the link that started them, in the commit that completes them. Links are
 * locked first, so that however many payments complete concurrently, in any number of processes, at
 * most `maxUses` of them count. The others still complete, because the coins are there: they are
 * counted separately and raise an operator alert. The merchant is notified of live ones, since it
 * owes the customer a delivery or the coins.
 */
export const countLinkUses: CompletionHook = async (trx, completions) => {
  const ids = completions.filter(({ type }) => type !== 'billing').map(({ transactionId }) => transactionId);
  if (ids.length === 0) return;
  const paid = await lockLinks(trx, ids);
  if (paid.length === 0) return;
  const counted = assignUses(paid);
  const excess = counted.filter(({ counted_as }) => counted_as === 'excess');
  const live = excess.filter(({ mode }) => mode === 'live');
  const lostOf = await readLostUses(trx, live);
  const completedAt = new Map(completions.map((each) => [each.transactionId, each.completedAt]));
  await settleAll([
    saveCounts(trx, counted),
    markPayments(trx, counted),
    raiseOperatorAlerts(trx, excess.map(toAlert)),
    notifyMerchantUsers(
      trx,
      live.map((use) => toNotice(use, completedAt.get(use.transaction_id) ?? 0, lostOf(use))),
    ),
  ]);
};

/** A completed payment, with its link as it was before. */
export interface PaidLink {
  readonly transaction_id: string;
  readonly merchant_id: string;
  readonly mode: Mode;
  readonly slug: string;
  readonly title: string;
  readonly max_uses: number | null;
  readonly uses: number;
}

export interface CountedUse extends PaidLink {
  readonly counted_as: 'use' | 'excess';
}

/** Assigns the remaining uses in order. */
export function assignUses(paid: readonly PaidLink[]): CountedUse[] {
  const usesOf = new Map<string, number>();
  return paid.map((each) => {
    const key = JSON.stringify([each.merchant_id, each.mode, each.slug]);
    const uses = usesOf.get(key) ?? each.uses;
    const isUse = each.max_uses === null || uses < each.max_uses;
    if (isUse) usesOf.set(key, uses + 1);
    return { ...each, counted_as: isUse ? 'use' : 'excess' };
  });
}

// Helpers

/** Locked in key order, so that two batches cannot deadlock; rows are read once locked. */
async function lockLinks(trx: Transaction<Database>, transactionIds: readonly string[]): Promise<PaidLink[]> {
  const { rows } = await sql<PaidLink>`
    select transaction_id, merchant_id, mode, slug, title, max_uses, uses
    from link_payment join payment_link using (merchant_id, mode, slug)
    where transaction_id = any(${transactionIds}::text[]) and counted_as is null
    order by merchant_id, mode, slug, transaction_id for no key update of payment_link`.execute(trx);
  return rows;
}

/** Increments instead of setting: a stale read loses no use, at worst a check constraint fails. */
async function saveCounts(trx: Transaction<Database>, counted: readonly CountedUse[]): Promise<void> {
  await sql`
    update payment_link set uses = payment_link.uses + done.uses, excess_uses = excess_uses + done.excess
    from (
      select merchant_id, mode, slug, count(*) filter (where counted_as = 'use') as uses,
        count(*) filter (where counted_as = 'excess') as excess
      from ${unnestRows('each', { text: ['merchant_id', 'mode', 'slug', 'counted_as'] }, counted)}
      group by merchant_id, mode, slug
    ) as done
    where payment_link.merchant_id = done.merchant_id and payment_link.mode = done.mode
      and payment_link.slug = done.slug`.execute(trx);
}

async function markPayments(trx: Transaction<Database>, counted: readonly CountedUse[]): Promise<void> {
  await sql`
    update link_payment set counted_as = done.counted_as
    from ${unnestRows('done', { text: ['transaction_id', 'counted_as'] }, counted)}
    where link_payment.transaction_id = done.transaction_id`.execute(trx);
}

/** Finds a payment that counts as a use of the link although its coins have left the network. */
async function readLostUses(
  trx: Transaction<Database>,
  excess: readonly CountedUse[],
): Promise<(use: CountedUse) => string | null> {
  if (excess.length === 0) return () => null;
  const ids = excess.map(({ transaction_id }) => transaction_id);
  const { rows } = await sql<{ transaction_id: string; lost: string }>`
    select excess.transaction_id, counted.transaction_id as lost
    from link_payment as excess join link_payment as counted using (merchant_id, mode, slug)
    join transaction_status on transaction_status.id = counted.transaction_id
    where excess.transaction_id = any(${ids}::text[]) and counted.counted_as = 'use' and loss = 'gone'`.execute(trx);
  return ({ transaction_id }) => rows.find((row) => row.transaction_id === transaction_id)?.lost ?? null;
}

function toAlert(use: CountedUse): OperatorAlert {
  const { transaction_id: actorId, merchant_id: merchantId, mode, slug, max_uses: maxUses } = use;
  const times = maxUses === 1 ? 'once' : `${maxUses} times`;
  return {
    actorId,
    mode,
    alert: 'payment_link_overused',
    detail: `The ${mode} link "${slug}" of ${merchantId} can be paid ${times} and was paid once more`,
  };
}

function toNotice(
  { transaction_id: transactionId, merchant_id: merchantId, title, max_uses: maxUses }: CountedUse,
  at: UnixMs,
  lostTransactionId: string | null,
): MerchantNotice {
  return {
    id: derivedId('ntc', 'link_paid_too_often', transactionId),
    merchantId,
    setting: 'mailNeedsAttention',
    content: excessUseEmail({ transactionId, title, maxUses, lostTransactionId }),
    at,
  };
}

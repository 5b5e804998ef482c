import { type Kysely, sql } from 'kysely';
import type { UnixMs } from '../../../machines/index.ts';
import type { Database } from '../../db/index.ts';
import { listFailingEndpoints } from '../../webhooks/index.ts';
import type { DayFacts } from './summary-mail.ts';

/**
 * What happened to the live payments of a merchant from `from` until before `to`, and what needs it
 * now.
 */
export async function readDay(
  db: Kysely<Database>,
  { merchantId, from, to, now }: { merchantId: string; from: UnixMs; to: UnixMs; now: UnixMs },
): Promise<DayFacts> {
  const { rows: completed } = await sql<DayFacts['completed'][number]>`
    select currency_fiat as currency, count(*) as count, round(sum(amount_fiat::numeric), 2)::text as volume
    from webhook_event join transaction on transaction.id = webhook_event.transaction_id
    where webhook_event.merchant_id = ${merchantId} and event = 'payment.completed' and webhook_event.mode = 'live'
      and not is_test and webhook_event.created_at >= ${new Date(from)} and webhook_event.created_at < ${new Date(to)}
    group by currency_fiat order by currency_fiat`.execute(db);
  const { rows: open } = await sql<{ open: number; late: number }>`
    select count(*) as open, count(*) filter (where kind = 'paid_late') as late from attention_item
    where merchant_id = ${merchantId} and mode = 'live' and settled_at is null`.execute(db);
  const { open: needAttention, late } = open[0] ?? { open: 0, late: 0 };
  return {
    day: from,
    completed,
    needAttention,
    late,
    failingHosts: await listFailingEndpoints(db, { merchantId, now }),
  };
}

import { sql, type Transaction } from 'kysely';
import type { FiatCurrency } from '../../../machines/index.ts';
import type { Database } from '../../db/index.ts';

/** What mails and webhooks tell of a schedule beyond what its chart knows. */
export interface ScheduleFacts {
  readonly merchantId: string;
  readonly merchantName: string;
  readonly mode: 'live' | 'test';
  readonly reference: string | null;
  readonly customerEmail: string;
  readonly description: string;
  readonly amountFiat: string;
  readonly currencyFiat: FiatCurrency;
  /**
   * Whether mail may leave for this address. The clock of a test schedule can be moved through years in seconds, so whoever has a
   * test key could flood any mailbox: such mail goes to those alone who can sign in for the merchant. So does all mail of a
   * merchant that waits for an approval.
   */
  readonly mayBeWrittenTo: boolean;
}

/** The facts of these schedules, whose rows are written. */
export async function readFacts(
  trx: Transaction<Database>,
  scheduleIds: readonly string[],
): Promise<ReadonlyMap<string, ScheduleFacts>> {
  if (scheduleIds.length === 0) return new Map();
  const { rows } = await sql<ScheduleFacts & { readonly id: string }>`
    select schedule.id, schedule.merchant_id as "merchantId", merchant.name as "merchantName", mode, reference,
      customer_email as "customerEmail", description, amount_fiat as "amountFiat", currency_fiat as "currencyFiat",
      (mode = 'live' and approval_pending_since is null) or exists (
        select from merchant_user
        where merchant_user.merchant_id = schedule.merchant_id and lower(email) = lower(customer_email)
          and password_hash is not null and disabled_at is null
      ) as "mayBeWrittenTo"
    from schedule join merchant on merchant.id = schedule.merchant_id
    where schedule.id = any(${[...new Set(scheduleIds)]}::text[])`.execute(trx);
  return new Map(rows.map(({ id, ...facts }) => [id, facts]));
}

/** The facts of a schedule that was asked for. */
export function factsOf(facts: ReadonlyMap<string, ScheduleFacts>, scheduleId: string): ScheduleFacts {
  const found = facts.get(scheduleId);
  if (found === undefined) throw new Error('a schedule has no row');
  return found;
}

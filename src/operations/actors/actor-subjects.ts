import { type Kysely, type RawBuilder, sql } from 'kysely';
import { deliveryMachine, scheduleMachine, transactionMachine } from '../../../machines/index.ts';
import { type Database, readByIndex } from '../../platform/db/index.ts';
import type { ActorSubject } from '../types.ts';

/**
 * What these actors of one kind are about, by their ids; actors without a row of their feature are
 * left out. One statement, of at most a page of ids.
 */
export async function readSubjectsOf(
  db: Kysely<Database>,
  kind: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ActorSubject>> {
  const about = SUBJECTS[kind];
  if (about === undefined || ids.length === 0) return new Map();
  const { rows } = await readByIndex(db, (trx) =>
    sql<ActorSubject & { readonly id: string }>`
      select about.*, merchant.name as "merchantName" from (${about} where about.id = any(${ids}::text[])) as about
      join merchant on merchant.id = about.merchant_id`.execute(trx),
  );
  return new Map(
    rows.map(({ id, merchantName, mode, amountFiat, currencyFiat, amountCrypto, crypto, label }) => [
      id,
      { merchantName, mode, amountFiat, currencyFiat, amountCrypto, crypto, label },
    ]),
  );
}

// Helpers

const SUBJECTS: Readonly<Record<string, RawBuilder<unknown>>> = {
  [transactionMachine.id]: sql`
    select id, merchant_id, mode, amount_fiat as "amountFiat", currency_fiat as "currencyFiat",
      amount_crypto as "amountCrypto", crypto, order_id as label
    from transaction_terms as about`,
  [scheduleMachine.id]: sql`
    select id, merchant_id, mode, amount_fiat as "amountFiat", currency_fiat as "currencyFiat",
      null as "amountCrypto", crypto, coalesce(reference, description) as label
    from schedule as about`,
  // The path and query of an endpoint may hold a token.
  [deliveryMachine.id]: sql`
    select about.id, endpoint.merchant_id, event.mode, null as "amountFiat", null as "currencyFiat",
      null as "amountCrypto", null as crypto,
      about.event || ' to ' || substring(endpoint.url from '//([^/?]+)') as label
    from webhook_delivery as about
    join webhook_endpoint as endpoint on endpoint.id = about.endpoint_id
    join webhook_event as event on event.id = about.webhook_event_id`,
};

import { type Kysely, sql } from 'kysely';
import type { AuditSubject } from '../../src/merchants/audit/audit-subjects.ts';
import type { AuditedAction } from '../../src/merchants/index.ts';
import type { Database } from '../../src/platform/db/index.ts';
import { insertPayments, PLAIN } from '../payments/search/rows.ts';

/** Audited actions with an object of `addObjects` each, and what the audit log says of it. */
export const OBJECTS: readonly {
  readonly what: AuditedAction;
  readonly id: string;
  readonly subject: AuditSubject;
}[] = [
  { what: 'webhook_endpoint.changed', id: 'whk_audited', subject: named('hooks.shop.example') },
  { what: 'webhook_endpoint.deleted', id: 'whk_gone', subject: named('old.shop.example:8443', { isDeleted: true }) },
  { what: 'api_key.changed', id: 'key_named', subject: named('Web shop', { mode: 'test' }) },
  { what: 'api_key.revoked', id: 'key_plain', subject: named('…abcd', { mode: 'live' }) },
  { what: 'payment_link.closed', id: 'cake', subject: named('Cake', { mode: 'test' }) },
  { what: 'schedule.paused', id: 'sch_audited', subject: named('Rent', { mode: 'test' }) },
  { what: 'payment.marked_paid', id: 'txn_audited', subject: named('order-7', { mode: 'live' }) },
  { what: 'attention.settled', id: 'txn_plain', subject: { name: null, mode: 'test', isDeleted: false } },
  { what: 'wallet.replaced', id: 'wal_audited', subject: named('BTC') },
  { what: 'wallet.addresses_skipped', id: 'dk_audited', subject: named('BTC') },
];

export async function addObjects(db: Kysely<Database>, merchantId: string): Promise<void> {
  await sql`
    insert into webhook_endpoint (id, merchant_id, url, events, sealed_secret, deleted_at)
    values ('whk_audited', ${merchantId}, 'https://hooks.shop.example/secret?token=secret', '[]', '', null),
      ('whk_gone', ${merchantId}, 'https://old.shop.example:8443?secret', '[]', '', now())`.execute(db);
  await sql`
    insert into api_key (id, merchant_id, kind, mode, name, key_hash, hint, created_at)
    values ('key_named', ${merchantId}, 'secret', 'test', 'Web shop', 'hash 1', 'wxyz', now()),
      ('key_plain', ${merchantId}, 'secret', 'live', '', 'hash 2', 'abcd', now())`.execute(db);
  await sql`
    insert into payment_link (merchant_id, mode, slug, code, title, currency_fiat, cryptos, created_at)
    values (${merchantId}, 'test', 'cake', 'code 1', 'Cake', 'EUR', '{}', now()),
      (${merchantId}, 'live', 'cake', 'code 2', 'Another cake', 'EUR', '{}', now())`.execute(db);
  await sql`
    insert into schedule (id, merchant_id, mode, customer_email, description, amount_fiat, currency_fiat, interval,
      status, confirmations_sent, last_period_no, created_at, updated_at)
    values ('sch_audited', ${merchantId}, 'test', 'customer@example.com', 'Rent', '10.00', 'EUR', 'monthly', 'paused',
      1, 0, now(), now())`.execute(db);
  await insertPayments(db, [
    { ...PLAIN, id: 'txn_audited', merchantId, orderId: 'order-7' },
    { ...PLAIN, id: 'txn_plain', merchantId, mode: 'test' },
  ]);
  await sql`
    insert into derivation_key (id, network, fingerprint, extended_public_key, address_type)
    values ('dk_audited', 'bitcoin-mainnet', 'audited', 'xpub', 'p2wpkh')`.execute(db);
  await sql`
    insert into wallet (id, merchant_id, crypto, network, derivation_key_id)
    values ('wal_audited', ${merchantId}, 'BTC', 'bitcoin-mainnet', 'dk_audited')`.execute(db);
}

// Helpers

function named(name: string, more: Partial<AuditSubject> = {}): AuditSubject {
  return { name, mode: null, isDeleted: false, ...more };
}

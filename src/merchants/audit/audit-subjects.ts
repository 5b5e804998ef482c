import { sql } from 'kysely';
import type { Mode } from '../../../machines/index.ts';

/** The object of an audit entry, as it is now. */
export interface AuditSubject {
  /** Email address, name, host, title, order id or coins; null without one. */
  readonly name: string | null;
  readonly mode: Mode | null;
  /** A deleted object has no page. */
  readonly isDeleted: boolean;
}

/** As SQL returns it. */
export type StoredSubject = Pick<AuditSubject, 'name'> & Partial<AuditSubject>;

const payment = sql`
  (select json_build_object('name', order_id, 'mode', mode) from transaction_terms
    where id = subject_id and merchant_id = audit_entry.merchant_id)`;
const user = sql`
  (select json_build_object('name', email) from merchant_user
    where id = subject_id and merchant_id = audit_entry.merchant_id)`;

/**
 * SQL for the subject of a row of `audit_entry`, by one lookup, and only of the entry's merchant;
 * null for what does not exist. Of a URL only the host: path and query may hold a token. Commands
 * and the provisioning file record a wallet by its key.
 */
export const auditSubject = sql<StoredSubject | null>`
  case split_part(what, '.', 1)
    when 'payment' then ${payment}
    when 'attention' then ${payment}
    when 'user' then ${user}
    when 'session' then ${user}
    when 'api_key' then
      (select json_build_object('name', coalesce(nullif(name, ''), '…' || hint), 'mode', mode) from api_key
        where id = subject_id and merchant_id = audit_entry.merchant_id)
    when 'webhook_endpoint' then
      (select json_build_object('name', substring(url from '//([^/?]+)'), 'isDeleted', deleted_at is not null)
        from webhook_endpoint where id = subject_id and merchant_id = audit_entry.merchant_id)
    when 'wallet' then
      (select json_build_object('name', string_agg(crypto, ', ' order by crypto)) from wallet
        where subject_id in (id, derivation_key_id) and coalesce(merchant_id, '') = audit_entry.merchant_id)
    when 'payment_link' then
      (select json_build_object('name', title, 'mode', mode) from payment_link
        where slug = subject_id and mode = details ->> 'mode' and merchant_id = audit_entry.merchant_id)
    when 'schedule' then
      (select json_build_object('name', coalesce(reference, description), 'mode', mode) from schedule
        where id = subject_id and merchant_id = audit_entry.merchant_id)
  end`;

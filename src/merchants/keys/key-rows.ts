import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { Mode, UnixMs } from '../../../machines/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { TerminalError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { type ApiKeyKind, hashApiKey, newApiKey } from '../../platform/secrets/index.ts';
import { type AuditedChange, writeAudit } from '../audit/audit.ts';

/** A new key. `key` is shown once; only its hash is stored. */
export interface IssuedKey {
  readonly id: string;
  readonly key: string;
}

export interface KeyOfMerchant {
  readonly merchantId: string;
  readonly keyId: string;
}

type KeyRow = Selectable<Database['api_key']>;

export interface NewKey {
  readonly merchantId: string;
  readonly kind: ApiKeyKind;
  readonly mode: Mode;
  /** For display, such as the name of the shop that uses it; may be empty. */
  readonly name: string;
  readonly oneOpenPaymentPerIp: boolean;
}

/** Creates a key and its audit entry; `details` say why. */
export async function insertKey(
  change: AuditedChange,
  spec: NewKey & { readonly allowedCidrs?: readonly string[] },
  details: Readonly<Record<string, unknown>> = {},
): Promise<IssuedKey> {
  const { merchantId, kind, mode, name, allowedCidrs = [], oneOpenPaymentPerIp } = spec;
  const id = newId('key');
  const key = newApiKey(kind, mode);
  await change.trx
    .insertInto('api_key')
    .values({
      id,
      merchant_id: merchantId,
      kind,
      mode,
      key_hash: hashApiKey(key),
      hint: key.slice(-4),
      name,
      allowed_cidrs: [...allowedCidrs],
      one_open_payment_per_ip: oneOpenPaymentPerIp,
      created_at: new Date(change.now),
      revoked_at: null,
    })
    .execute();
  await writeAudit(change, {
    merchantId,
    what: 'api_key.created',
    subjectId: id,
    details: { kind, mode, name, ...details },
  });
  return { id, key };
}

/**
 * The row of an active key, locked until the transaction ends. Throws a `TerminalError`:
 * `KEY_NOT_FOUND`, also for another merchant's key, `KEY_REVOKED` for an inactive one.
 */
export async function lockActiveKey(change: AuditedChange, input: KeyOfMerchant): Promise<KeyRow> {
  const row = await lockKey(change.trx, input);
  if (row.revoked_at === null && (row.retires_at === null || row.retires_at > change.now)) return row;
  throw new TerminalError('KEY_REVOKED', `The key ${row.id} no longer works; create a new one`);
}

/** Locks the row of a key, active or not. Throws a `TerminalError` `KEY_NOT_FOUND`. */
export async function lockKey(trx: Transaction<Database>, { merchantId, keyId }: KeyOfMerchant): Promise<KeyRow> {
  const row = await trx
    .selectFrom('api_key')
    .selectAll()
    .where('id', '=', keyId)
    .where('merchant_id', '=', merchantId)
    .forUpdate()
    .executeTakeFirst();
  if (row !== undefined) return row;
  throw new TerminalError(
    'KEY_NOT_FOUND',
    `This merchant has no key ${keyId.slice(0, 60)}; list the keys to see their ids`,
  );
}

/** The displayable part of a key. */
export interface KeySummary {
  readonly id: string;
  readonly kind: ApiKeyKind;
  readonly mode: Mode;
  readonly name: string;
  /** Its last four characters. */
  readonly hint: string;
  readonly allowedCidrs: readonly string[];
  readonly oneOpenPaymentPerIp: boolean;
  readonly createdAt: UnixMs;
  /** Accurate to a minute; null when it was never used. */
  readonly lastUsedAt: UnixMs | null;
  /** When it stops or stopped working, possibly in the future. Null: it works until revoked. */
  readonly endsAt: UnixMs | null;
}

/** All current and former keys of a merchant, oldest first. */
export async function listKeys(db: Kysely<Database>, merchantId: string): Promise<KeySummary[]> {
  const { rows } = await sql<KeySummary>`
    select id, kind, mode, name, hint, allowed_cidrs as "allowedCidrs",
      one_open_payment_per_ip as "oneOpenPaymentPerIp", created_at as "createdAt", last_used_at as "lastUsedAt",
      least(revoked_at, retires_at) as "endsAt"
    from api_key where merchant_id = ${merchantId} order by created_at, id`.execute(db);
  return rows;
}

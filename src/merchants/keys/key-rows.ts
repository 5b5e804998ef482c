import type { Selectable, Transaction } from 'kysely';
import type { Database } from '../../db/index.ts';
import { TerminalError } from '../../errors.ts';
import { newId } from '../../ids.ts';
import { type ApiKeyKind, hashApiKey, type KeyMode, newApiKey } from '../../secrets/index.ts';
import { type Change, writeAudit } from '../audit/audit.ts';

/** A new key. `key` is shown once; only its hash is stored. */
export interface IssuedKey {
  readonly id: string;
  readonly key: string;
}

/** Identifies a key of a merchant. */
export interface KeyOfMerchant {
  readonly merchantId: string;
  readonly keyId: string;
}

/** A key as it is stored. */
export type KeyRow = Selectable<Database['api_key']>;

export interface NewKeyRow {
  readonly merchantId: string;
  readonly kind: ApiKeyKind;
  readonly mode: KeyMode;
  readonly name: string;
  readonly allowedCidrs?: readonly string[];
  readonly oneOpenPaymentPerIp?: boolean;
}

/** Creates a key and its audit entry; `details` say why. */
export async function insertKey(
  change: Change,
  spec: NewKeyRow,
  details: Readonly<Record<string, unknown>> = {},
): Promise<IssuedKey> {
  const { merchantId, kind, mode, name, allowedCidrs = [], oneOpenPaymentPerIp = false } = spec;
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
export async function lockLivingKey(change: Change, wanted: KeyOfMerchant): Promise<KeyRow> {
  const row = await lockKey(change.trx, wanted);
  if (row.revoked_at === null && (row.retires_at === null || row.retires_at > change.now)) return row;
  throw new TerminalError('KEY_REVOKED', `The key ${row.id} works no more; create a new one`);
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

import { sql, type Transaction } from 'kysely';
import type { Mode, UnixMs } from '../../../machines/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { TerminalError } from '../../platform/errors.ts';
import { isPrintable } from '../../platform/text.ts';
import type { AuditedChange } from '../audit/audit.ts';
import { type IssuedKey, insertKey, type NewKey } from './key-rows.ts';

/** Maximum number of active keys of one merchant; each has its own rate limit. */
const MAX_LIVING_KEYS = 50;
const MAX_KEY_NAME_CHARACTERS = 100;

/** Creates a key. Throws a `TerminalError`: `INVALID_KEY_NAME`, `TOO_MANY_KEYS`. */
export async function createKey(change: AuditedChange, spec: NewKey): Promise<IssuedKey> {
  await requireKeysLeft(change, spec.merchantId);
  return insertKey(change, { ...spec, name: readKeyName(spec.name) });
}

/** Validates the name of a key. Throws a `TerminalError` `INVALID_KEY_NAME`. */
export function readKeyName(text: string): string {
  const name = text.trim();
  if (name.length <= MAX_KEY_NAME_CHARACTERS && isPrintable(name)) return name;
  throw new TerminalError(
    'INVALID_KEY_NAME',
    `The name of a key must have at most ${MAX_KEY_NAME_CHARACTERS} characters and no control characters`,
  );
}

/** The four keys of a merchant, shown once. */
export interface IssuedKeys {
  readonly sk_live: string;
  readonly sk_test: string;
  readonly pk_live: string;
  readonly pk_test: string;
}

/** Issues one new key of each kind and mode. Only their hashes are stored. */
export async function issueKeys(trx: Transaction<Database>, merchantId: string, now: UnixMs): Promise<IssuedKeys> {
  const issue = async (kind: 'secret' | 'publishable', mode: Mode): Promise<string> => {
    const change = { trx, who: 'provisioning', now };
    return (await insertKey(change, { merchantId, kind, mode, name: '', oneOpenPaymentPerIp: false })).key;
  };
  return {
    sk_live: await issue('secret', 'live'),
    sk_test: await issue('secret', 'test'),
    pk_live: await issue('publishable', 'live'),
    pk_test: await issue('publishable', 'test'),
  };
}

/**
 * Throws a `TerminalError` `TOO_MANY_KEYS` when the merchant has as many active keys as allowed.
 * Concurrent changes are serialized.
 */
export async function requireKeysLeft({ trx, now }: AuditedChange, merchantId: string): Promise<void> {
  await sql`select 1 from merchant where id = ${merchantId} for no key update`.execute(trx);
  const { rows } = await sql`
    select id from api_key where merchant_id = ${merchantId} and revoked_at is null
      and coalesce(retires_at > ${new Date(now)}, true)`.execute(trx);
  if (rows.length < MAX_LIVING_KEYS) return;
  throw new TerminalError(
    'TOO_MANY_KEYS',
    `This merchant already has ${MAX_LIVING_KEYS} active keys; revoke an unused one`,
  );
}

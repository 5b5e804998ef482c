import { sql } from 'kysely';
import { TerminalError } from '../../errors.ts';
import type { ApiKeyKind, KeyMode } from '../../secrets/index.ts';
import { isPrintable } from '../../text.ts';
import type { Change } from '../audit/audit.ts';
import { type IssuedKey, insertKey } from './key-rows.ts';

/** Active keys of one merchant; each has its own rate limit. */
const MAX_LIVING_KEYS = 50;
/** Longest name of a key. */
const MAX_KEY_NAME_CHARACTERS = 100;

export interface NewKey {
  readonly merchantId: string;
  readonly kind: ApiKeyKind;
  readonly mode: KeyMode;
  /** For display, like the name of the shop that uses it; may be empty. */
  readonly name: string;
  readonly oneOpenPaymentPerIp: boolean;
}

/** Creates a key. Throws a `TerminalError`: `INVALID_KEY_NAME`, `TOO_MANY_KEYS`. */
export async function createKey(change: Change, spec: NewKey): Promise<IssuedKey> {
  await requireRoom(change, spec.merchantId);
  return insertKey(change, { ...spec, name: readKeyName(spec.name) });
}

/** Validates the name of a key. Throws a `TerminalError` `INVALID_KEY_NAME`. */
export function readKeyName(text: string): string {
  const name = text.trim();
  if (name.length <= MAX_KEY_NAME_CHARACTERS && isPrintable(name)) return name;
  throw new TerminalError(
    'INVALID_KEY_NAME',
    `The name of a key has at most ${MAX_KEY_NAME_CHARACTERS} characters and no control characters; choose another`,
  );
}

// Helpers

/** Counts active keys, with concurrent changes serialized. */
async function requireRoom({ trx, now }: Change, merchantId: string): Promise<void> {
  await sql`select 1 from merchant where id = ${merchantId} for no key update`.execute(trx);
  const { rows } = await sql`
    select id from api_key where merchant_id = ${merchantId} and revoked_at is null
      and coalesce(retires_at > ${new Date(now)}, true)`.execute(trx);
  if (rows.length < MAX_LIVING_KEYS) return;
  throw new TerminalError('TOO_MANY_KEYS', `${MAX_LIVING_KEYS} keys work already; revoke one that is not used`);
}

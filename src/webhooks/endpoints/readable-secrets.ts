import { type Kysely, sql } from 'kysely';
import type { UnixMs } from '../../../machines/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { TerminalError } from '../../platform/errors.ts';
import type { SecretBox } from '../../platform/secrets/index.ts';
import { ERASED } from './delete-endpoint.ts';
import { type EndpointOfMerchant, endpointSecretContext } from './endpoint.ts';

/** Result of checking stored secrets against the key. */
interface ReadableSecrets {
  readonly checked: number;
  /** The secrets that the key does not open. */
  readonly unreadable: number;
}

/** The newest secrets are enough to tell whether the key is the right one. */
const CHECKED_ROWS = 100;

/** Tries to open the newest stored webhook secrets; stores and returns none of them. */
export async function checkEndpointSecrets(
  db: Kysely<Database>,
  box: Pick<SecretBox, 'open'>,
): Promise<ReadableSecrets> {
  const rows = await db
    .selectFrom('webhook_endpoint')
    .select(['id', 'sealed_secret'])
    .where('sealed_secret', '<>', ERASED)
    .orderBy('created_at', 'desc')
    .limit(CHECKED_ROWS)
    .execute();
  const unreadable = rows.filter(({ id, sealed_secret: sealed }) => !opens(box, sealed, endpointSecretContext(id)));
  return { checked: rows.length, unreadable: unreadable.length };
}

/**
 * The current secret of an endpoint, for a receiver inside the service; it must never be shown.
 * Null when there is no such endpoint. Throws a `TerminalError` `SECRET_UNREADABLE`.
 */
export async function openEndpointSecret(
  db: Kysely<Database>,
  box: Pick<SecretBox, 'open'>,
  { merchantId, endpointId }: EndpointOfMerchant,
): Promise<string | null> {
  const row = await db
    .selectFrom('webhook_endpoint')
    .select('sealed_secret')
    .where('id', '=', endpointId)
    .where('merchant_id', '=', merchantId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return row === undefined ? null : box.open(row.sealed_secret, endpointSecretContext(endpointId));
}

/** Deletes previous secrets whose rotation overlap has ended. Returns the number deleted. */
export async function forgetPreviousSecrets(db: Kysely<Database>, now: UnixMs): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('webhook_endpoint')
    .set({ previous_sealed_secret: null, previous_secret_until: null })
    .where(sql<boolean>`previous_secret_until <= ${new Date(now)}`)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

// Helpers

function opens(box: Pick<SecretBox, 'open'>, sealed: string, context: string): boolean {
  try {
    box.open(sealed, context);
    return true;
  } catch (error) {
    if (error instanceof TerminalError && error.code === 'SECRET_UNREADABLE') return false;
    throw error;
  }
}

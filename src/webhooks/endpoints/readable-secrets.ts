import type { Kysely } from 'kysely';
import type { Database } from '../../db/index.ts';
import { TerminalError } from '../../errors.ts';
import type { SecretBox } from '../../secrets/index.ts';
import { ERASED } from './delete-endpoint.ts';
import { endpointSecretContext } from './endpoint.ts';

/** How the key and what is stored go together. */
export interface ReadableSecrets {
  readonly checked: number;
  /** Of these, the ones that the key does not open. */
  readonly unreadable: number;
}

/** The newest secrets tell whether the key is the right one; opening all of them would tell no more. */
const CHECKED_ROWS = 100;

/** Opens some of the stored webhook secrets, and keeps and shows none. */
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

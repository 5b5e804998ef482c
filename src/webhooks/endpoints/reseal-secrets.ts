import type { Kysely } from 'kysely';
import type { Database } from '../../db/index.ts';
import { TerminalError } from '../../errors.ts';
import type { SecretBox } from '../../secrets/index.ts';
import { ERASED } from './delete-endpoint.ts';
import { endpointSecretContext } from './endpoint.ts';

export interface Resealed {
  /** Secrets that were sealed with the previous key and are sealed with the present one now. */
  readonly resealed: number;
  /** Those that needed nothing. */
  readonly current: number;
  /** Endpoints with a secret that neither key opens. */
  readonly unreadable: readonly string[];
}

/** Rows that are read at once. */
const BATCH_ROWS = 200;

/**
 * Seals every stored secret with the present key. Each row is a change of its own, made only if nobody has changed the row
 * meanwhile: it can run beside the service and beside itself, and be repeated after it was interrupted.
 */
export async function resealEndpointSecrets(
  db: Kysely<Database>,
  box: SecretBox,
  { batchRows = BATCH_ROWS }: { readonly batchRows?: number } = {},
): Promise<Resealed> {
  const sum = { resealed: 0, current: 0, unreadable: [] as string[] };
  for (let after = ''; ; ) {
    const rows = await db
      .selectFrom('webhook_endpoint')
      .select(['id', 'sealed_secret', 'previous_sealed_secret'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(batchRows)
      .execute();
    for (const row of rows) {
      for (const column of ['sealed_secret', 'previous_sealed_secret'] as const) {
        const result = await resealOne(db, box, { id: row.id, column, sealed: row[column] });
        if (result === 'unreadable') sum.unreadable.push(row.id);
        else if (result !== 'erased') sum[result] += 1;
      }
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < batchRows) return sum;
    after = last.id;
  }
}

// Helpers

interface SealedValue {
  readonly id: string;
  readonly column: 'sealed_secret' | 'previous_sealed_secret';
  /** As it was read; null or erased where there is no secret. */
  readonly sealed: string | null;
}

/** When another change was faster (another run, or a regeneration by a process with the old key), reads the row again. */
async function resealOne(
  db: Kysely<Database>,
  box: SecretBox,
  { id, column, sealed: known }: SealedValue,
): Promise<'resealed' | 'current' | 'unreadable' | 'erased'> {
  const context = endpointSecretContext(id);
  for (let sealed = known; sealed !== null && sealed !== ERASED; ) {
    const secret = openOrNull(box, sealed, context);
    if (secret === null) return 'unreadable';
    if (box.isCurrent(sealed)) return 'current';
    const { numUpdatedRows } = await db
      .updateTable('webhook_endpoint')
      .set({ [column]: box.seal(secret, context) })
      .where('id', '=', id)
      .where(column, '=', sealed)
      .executeTakeFirst();
    if (numUpdatedRows === 1n) return 'resealed';
    const row = await db
      .selectFrom('webhook_endpoint')
      .select(['sealed_secret', 'previous_sealed_secret'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    sealed = row[column];
  }
  return 'erased';
}

function openOrNull(box: SecretBox, sealed: string, context: string): string | null {
  try {
    return box.open(sealed, context);
  } catch (error) {
    if (error instanceof TerminalError && error.code === 'SECRET_UNREADABLE') return null;
    throw error;
  }
}

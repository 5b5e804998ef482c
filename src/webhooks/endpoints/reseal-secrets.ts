import type { Kysely } from 'kysely';
import type { Database } from '../../platform/db/index.ts';
import { openOrNull, type Resealed, resealUntilDone, type SecretBox } from '../../platform/secrets/index.ts';
import { ERASED } from './delete-endpoint.ts';
import { endpointSecretContext } from './endpoint.ts';

/** Rows read per query. */
const BATCH_ROWS = 200;

/**
 * Reseals every stored secret with the current key. `unreadable` are endpoints. Each row is updated
 * on its own, only if it has not changed since it was read, so this can run while the service runs,
 * concurrently with itself, and again after an interruption.
 */
export async function resealEndpointSecrets(
  db: Kysely<Database>,
  box: SecretBox,
  { batchRows = BATCH_ROWS }: { readonly batchRows?: number } = {},
): Promise<Resealed> {
  return resealUntilDone(() => resealAll(db, box, batchRows));
}

// Helpers

const COLUMNS = ['sealed_secret', 'previous_sealed_secret'] as const;
/** Null or erased when there is no secret. */
type SealedRow = { readonly id: string } & Readonly<Record<(typeof COLUMNS)[number], string | null>>;

async function resealAll(db: Kysely<Database>, box: SecretBox, batchRows: number): Promise<Resealed> {
  const sum = { resealed: 0, current: 0, unreadable: [] as string[] };
  for (let after = ''; ; ) {
    const rows = await rowsOf(db).where('id', '>', after).orderBy('id').limit(batchRows).execute();
    for (const row of rows) {
      const done = await resealRow(db, box, row);
      sum.resealed += done.resealed;
      sum.current += done.current;
      if (done.isUnreadable) sum.unreadable.push(row.id);
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < batchRows) return sum;
    after = last.id;
  }
}

/**
 * Updates both secrets together. Reads the row again when a concurrent change (a rotation, another
 * run) was faster.
 */
async function resealRow(db: Kysely<Database>, box: SecretBox, known: SealedRow) {
  const context = endpointSecretContext(known.id);
  for (let row = known; ; ) {
    const done = { resealed: 0, current: 0, isUnreadable: false };
    const fresh: Partial<Record<(typeof COLUMNS)[number], string>> = {};
    for (const column of COLUMNS) {
      const sealed = row[column];
      if (sealed === null || sealed === ERASED) continue;
      const secret = openOrNull(box, sealed, context);
      if (secret === null) done.isUnreadable = true;
      else if (box.isCurrent(sealed)) done.current += 1;
      else {
        fresh[column] = box.seal(secret, context);
        done.resealed += 1;
      }
    }
    if (done.resealed === 0) return done;
    const { numUpdatedRows } = await db
      .updateTable('webhook_endpoint')
      .set(fresh)
      .where('id', '=', row.id)
      .where('sealed_secret', 'is not distinct from', row.sealed_secret)
      .where('previous_sealed_secret', 'is not distinct from', row.previous_sealed_secret)
      .executeTakeFirst();
    if (numUpdatedRows === 1n) return done;
    row = await rowsOf(db).where('id', '=', row.id).executeTakeFirstOrThrow();
  }
}

function rowsOf(db: Kysely<Database>) {
  return db.selectFrom('webhook_endpoint').select(['id', ...COLUMNS]);
}

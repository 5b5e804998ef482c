import type { Kysely } from 'kysely';
import type { CryptoSymbol } from '../../../machines/index.ts';
import type { Database } from '../../db/index.ts';
import { readJournal } from '../../engine/index.ts';
import { timelineOf } from '../detail/timeline.ts';

/** Journal entries read after the step; far more than are shown. */
const MAX_STEPS = 100;
const MAX_SENTENCES = 3;

/**
 * What happened to a payment since a step of its journal, in plain sentences, oldest first, capped
 * to the last few; empty when nothing noticeable did.
 */
export async function changesSince(
  db: Kysely<Database>,
  transactionId: string,
  step: number,
): Promise<readonly string[]> {
  const journal = await readJournal(db, transactionId, { after: step, limit: MAX_STEPS });
  const row = await db
    .selectFrom('transaction')
    .select(['crypto', 'confirmations_required'])
    .where('id', '=', transactionId)
    .executeTakeFirstOrThrow();
  const facts = {
    // Only this folder writes it.
    crypto: row.crypto as CryptoSymbol,
    confirmationsRequired: row.confirmations_required,
    startedBy: 'shop',
  } as const;
  return timelineOf(journal, facts)
    .slice(-MAX_SENTENCES)
    .map(({ words }) => words);
}

import { createTransactionKind } from '../../src/payments/index.ts';
import { createKindRegistry, replay } from '../../src/platform/engine/index.ts';
import { createScheduleKind } from '../../src/recurring/index.ts';
import type { RecurringHarness } from './recurring-harness.ts';

/** Data in the database that no interface shows. */

type Records = Pick<RecurringHarness, 'db' | 'world'>;

/** Actors of a kind; `done` means that they accept no more events. */
export function actorsOf({ db }: Records, kind: 'schedule' | 'transaction') {
  return db.selectFrom('actor').select(['id', 'status']).where('kind', '=', kind).execute();
}

/** Folds the journal of every schedule and payment and compares it with the stored snapshot. */
export async function replaysOf(records: Records): Promise<{ actorId: string; isEqual: boolean }[]> {
  const { db, world } = records;
  const kinds = createKindRegistry([
    createTransactionKind({ publicUrl: '' }),
    createScheduleKind({ publicUrl: '', tokens: () => '', clock: world }),
  ]);
  const actors = [...(await actorsOf(records, 'schedule')), ...(await actorsOf(records, 'transaction'))];
  return Promise.all(
    actors.map(async ({ id }) => ({ actorId: id, isEqual: (await replay(db, kinds, id))?.equal ?? false })),
  );
}

/** The Message-IDs of the emails that count as sent, sorted. */
export async function sentMessageIds({ db }: Records): Promise<string[]> {
  const mails = await db.selectFrom('mail').select('id').where('state', '=', 'sent').execute();
  return mails.map(({ id }) => `<${id}@shop.example>`).sort();
}

/** The recorded bounce of every email that could not be delivered. */
export async function bouncedEmails({ db }: Records): Promise<(string | null)[]> {
  const mails = await db.selectFrom('mail').select('last_error').where('failed_because', '=', 'bounced').execute();
  return mails.map(({ last_error }) => last_error);
}

/** Names of the operator alerts about a payment. */
export async function alertsAbout({ db }: Records, transactionId: string): Promise<string[]> {
  const rows = await db.selectFrom('operator_alert').select('alert').where('actor_id', '=', transactionId).execute();
  return rows.map(({ alert }) => alert);
}

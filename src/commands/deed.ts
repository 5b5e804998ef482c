import type { Kysely } from 'kysely';
import { systemClock } from '../clock.ts';
import type { Database } from '../db/index.ts';
import { newId } from '../ids.ts';
import { beginAction, type OperatorDeed, settleAction } from '../operations/index.ts';
import { commandAuthor } from './author.ts';

/** An audited action of a command on the whole service. */
export interface CommandDeed {
  /** The words of the command, like `chain rescan`. */
  readonly command: string;
  readonly what: OperatorDeed;
  readonly subjectId: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/**
 * Runs `work`, which needs more than one transaction, and records it in the operators' audit log:
 * the row is written before, and completed after with `done` or `failed`. If the process is killed,
 * the row has no outcome.
 */
export async function asDeed<T>(db: Kysely<Database>, deed: CommandDeed, work: () => Promise<T>): Promise<T> {
  const { command, ...action } = deed;
  const requestId = newId('req');
  const { who, now } = commandAuthor();
  await beginAction(db, { ...action, requestId, who, reason: `quittance ${command}` }, now);
  const settle = (outcome: string) => settleAction(db, requestId, { outcome, now: systemClock.now() });
  try {
    const result = await work();
    await settle('done');
    return result;
  } catch (error) {
    await settle('failed');
    throw error;
  }
}

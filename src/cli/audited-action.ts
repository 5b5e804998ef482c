import type { Kysely } from 'kysely';
import { beginAction, type OperatorActionKind, settleAction } from '../operations/index.ts';
import { systemClock } from '../platform/clock.ts';
import type { Database } from '../platform/db/index.ts';
import { newId } from '../platform/ids.ts';
import { commandAuthor } from './author.ts';

/** An audited action of a command on the whole service. */
export interface AuditedCommand {
  /** The words of the command, like `chain rescan`. */
  readonly command: string;
  readonly what: OperatorActionKind;
  readonly subjectId: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/**
 * Runs `work`, which needs more than one transaction, and records it in the operators' audit log:
 * the row is written before, and completed after with `done` or `failed`. If the process is killed,
 * the row has no outcome.
 */
export async function asAuditedAction<T>(
  db: Kysely<Database>,
  action: AuditedCommand,
  work: () => Promise<T>,
): Promise<T> {
  const { command, ...audited } = action;
  const requestId = newId('req');
  const { who, now } = commandAuthor();
  await beginAction(db, { ...audited, requestId, who, reason: `quittance ${command}` }, now);
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

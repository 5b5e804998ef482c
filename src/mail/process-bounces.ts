import type { Kysely } from 'kysely';
import type { Database } from '../platform/db/index.ts';
import type { Engine } from '../platform/engine/index.ts';
import { isId } from '../platform/ids.ts';
import { type BounceReport, type ReportedBounce, readDsn, saysNoMailbox } from './bounce-report.ts';
import { failed } from './mail-queue.ts';

export interface BounceDeps {
  readonly db: Kysely<Database>;
  /** Null: bounces are only recorded. */
  readonly notifyActor: NotifyActor | null;
}

/**
 * Processes a report of emails that a server accepted but could not deliver. Those that are ours
 * become `failed`, `bounced`. Their actors are notified first, so that after a crash in between the
 * same report can be submitted again. Returns how many of the permanently undeliverable emails in
 * the report are ours, including ones already recorded. A Message-ID is as good as a secret, since
 * only the email itself contains it. Throws a `TerminalError` `INVALID_REQUEST` for a report that
 * cannot be parsed.
 */
export async function processBounces(
  { db, notifyActor }: BounceDeps,
  report: BounceReport,
): Promise<{ readonly matched: number }> {
  const bounces = report.kind === 'message' ? await readDsn(report.raw) : report.bounces;
  const statuses = new Map(
    bounces
      .filter(({ status }) => saysNoMailbox(status))
      .flatMap((bounce): [string, string][] => {
        const id = emailIdOf(bounce);
        return id === null ? [] : [[id, bounce.status]];
      }),
  );
  if (statuses.size === 0) return { matched: 0 };
  const emails = await db
    .selectFrom('mail')
    .select(['id', 'actor_id', 'state', 'tries'])
    .where('id', 'in', [...statuses.keys()])
    .execute();
  for (const { id, actor_id: actorId } of emails.filter(isReportable)) {
    if (actorId !== null) await notifyActor?.(actorId, id);
    await db
      .updateTable('mail')
      .set({ ...failed('bounced'), last_error: `${statuses.get(id)}: bounced after it was accepted` })
      .where('id', '=', id)
      // The actor may have ended and held the email.
      .where('state', '<>', 'failed')
      .execute();
  }
  return { matched: emails.length };
}

/**
 * Notifies an actor that the mailbox of its email does not exist. Resolves when the event was
 * delivered, also when it is a duplicate or ignored; rejects when it cannot be delivered now and
 * must be retried.
 */
export type NotifyActor = (actorId: string, emailId: string) => Promise<void>;

/** The event id names the email, so that one bounce counts once, however often it is reported. */
export function createNotifyActor({ engine }: { readonly engine: Pick<Engine, 'deliver'> }): NotifyActor {
  return async (actorId, emailId) => {
    await engine.deliver({ actorId, eventId: `bounce:${emailId}`, event: { type: 'mail.bounced' } });
  };
}

// Helpers

/**
 * A report can arrive before the worker has recorded that the email was accepted, or after that
 * worker died. The report is proof enough.
 */
const REPORTABLE = ['sent', 'queued'] as const;

function isReportable({ state, tries }: { readonly state: string; readonly tries: number }): boolean {
  return tries > 0 && REPORTABLE.some((known) => known === state);
}

/** The id that the transport put into the Message-ID; null for a Message-ID that is not ours. */
function emailIdOf({ messageId }: ReportedBounce): string | null {
  const [, id = ''] = /^<?([^<>@\s]{1,64})@[^<>@\s]{1,255}>?$/.exec(messageId.trim()) ?? [];
  return isId('eml', id) ? id : null;
}

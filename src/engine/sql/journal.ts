import { type Kysely, sql, type Transaction } from 'kysely';
import type { UnixMs } from '../../../machines/index.ts';
import type { Database } from '../../db/index.ts';
import { pairKey } from '../consequences.ts';
import type { ActorEvent, ActorKind, EventCommand, Step } from '../types.ts';

/** Of these events, the ones that were accepted before, by `pairKey`. The actors must be locked. */
export async function findAccepted(
  trx: Transaction<Database>,
  commands: readonly Pick<EventCommand, 'actorId' | 'eventId'>[],
): Promise<Set<string>> {
  if (commands.length === 0) return new Set();
  const { rows } = await sql<{ actor_id: string; event_id: string }>`
    select entry.actor_id, entry.event_id
    from unnest(
      ${commands.map((command) => command.actorId)}::text[], ${commands.map((command) => command.eventId)}::text[]
    ) as asked (actor_id, event_id)
    join journal_entry entry
      on entry.actor_id = asked.actor_id and entry.event_id = asked.event_id and entry.outcome <> 'failed'`.execute(
    trx,
  );
  return new Set(rows.map((row) => pairKey(row.actor_id, row.event_id)));
}

/** Appends steps to their actors' journals. */
export async function appendJournal(
  trx: Transaction<Database>,
  steps: readonly { readonly kind: ActorKind; readonly step: Step }[],
): Promise<void> {
  if (steps.length === 0) return;
  const column = <T>(pick: (step: Step) => T) => steps.map(({ step }) => pick(step));
  await sql`
    insert into journal_entry (actor_id, sequence, event_id, event_type, event, outcome, state, kind, version, at, error)
    select actor_id, sequence, event_id, event_type, event::jsonb, outcome, state, kind, version,
      to_timestamp(at / 1000.0), error
    from unnest(
      ${column((step) => step.actorId)}::text[], ${column((step) => step.sequence)}::int8[],
      ${column((step) => step.eventId)}::text[], ${column((step) => step.event.type)}::text[],
      ${column((step) => JSON.stringify(step.event))}::text[], ${column((step) => step.outcome)}::text[],
      ${column((step) => step.state)}::text[], ${steps.map(({ kind }) => kind.name)}::text[],
      ${steps.map(({ kind }) => kind.version)}::text[], ${column((step) => step.at)}::int8[],
      ${column((step) => step.error)}::text[]
    ) as fresh (actor_id, sequence, event_id, event_type, event, outcome, state, kind, version, at, error)`.execute(
    trx,
  );
}

export interface JournalEntry {
  readonly sequence: number;
  readonly eventId: string;
  readonly event: ActorEvent;
  readonly outcome: 'started' | 'applied' | 'ignored' | 'failed';
  readonly state: string;
  readonly version: string;
  readonly at: UnixMs;
  readonly error: string | null;
}

/** The whole journal of one actor, oldest first. */
export async function readJournal(db: Kysely<Database>, actorId: string): Promise<JournalEntry[]> {
  const rows = await db
    .selectFrom('journal_entry')
    .select(['sequence', 'event_id', 'event', 'outcome', 'state', 'version', 'at', 'error'])
    .where('actor_id', '=', actorId)
    .orderBy('sequence')
    .execute();
  return rows.map(({ event_id, event, ...row }) => ({ ...row, eventId: event_id, event: event as ActorEvent }));
}

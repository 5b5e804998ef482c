import type { Kysely } from 'kysely';
import { OPERATOR_EVENT_PREFIX } from '../../payments/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { type JournalEntry, readJournal } from '../../platform/engine/index.ts';
import { TerminalError } from '../../platform/errors.ts';
import type { EventSource, JournalStep } from '../types.ts';

export interface JournalRequest {
  /** Steps after this one; 0 for the first page. */
  readonly after: number;
  readonly limit: number;
}

export interface JournalPage {
  readonly steps: readonly JournalStep[];
  /** `after` of the next page; null on the last. */
  readonly next: number | null;
}

export const MAX_STEPS_PER_PAGE = 2_000;

/** A page of an actor's journal, oldest first. Throws `ACTOR_NOT_FOUND`. */
export async function readJournalPage(
  db: Kysely<Database>,
  actorId: string,
  { after, limit }: JournalRequest,
): Promise<JournalPage> {
  const pageSize = Math.min(limit, MAX_STEPS_PER_PAGE);
  const rows = await readJournal(db, actorId, { after, limit: pageSize + 1 });
  // Every actor has at least one journal entry: its start.
  if (rows.length === 0 && after === 0) throw actorNotFound(actorId);
  const page = rows.slice(0, pageSize);
  return { steps: page.map(toStep), next: rows.length > pageSize ? (page.at(-1)?.sequence ?? null) : null };
}

export function toStep(entry: Omit<JournalEntry, 'version'>): JournalStep {
  const { sequence, at, eventId, event, outcome, state, error } = entry;
  const source = eventSourceOf(eventId);
  return { sequence, at, eventId, eventType: event.type, event, outcome, state, error, source };
}

export function actorNotFound(actorId: string): TerminalError {
  return new TerminalError('ACTOR_NOT_FOUND', `There is no actor ${actorId}`);
}

/**
 * The source of an event, by the prefix of its id: every sender sets one, and
 * none can choose it freely.
 */
export function eventSourceOf(eventId: string): EventSource {
  const form = FORMS.find(({ prefixes }) => prefixes.some((prefix) => eventId.startsWith(prefix)));
  return form?.source ?? 'service';
}

// Helpers

/**
 * Prefixes of the senders in this repository. Any other id belongs to an
 * internal part of the service.
 */
const FORMS: readonly { readonly source: EventSource; readonly prefixes: readonly string[] }[] = [
  { source: 'start', prefixes: ['actor.started'] },
  { source: 'timer', prefixes: ['timer:'] },
  // Simulated events arrive in the same form as those of the simulated network.
  { source: 'chain', prefixes: ['chain:', 'balance:', 'simulate:'] },
  { source: 'merchant', prefixes: ['merchant:', 'settlement:', 'redelivery:'] },
  { source: 'customer', prefixes: ['customer.'] },
  { source: 'operator', prefixes: [OPERATOR_EVENT_PREFIX] },
];

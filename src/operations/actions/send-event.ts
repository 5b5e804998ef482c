import { OPERATOR_EVENT_PREFIX } from '../../payments/index.ts';
import { type Engine, findEntry, findRestingActor } from '../../platform/engine/index.ts';
import { TerminalError } from '../../platform/errors.ts';
import type { OperationsDeps } from '../actors/population.ts';
import { actorNotFound } from '../journal/journal.ts';
import type { EventRequest, Operator } from '../types.ts';
import { beginAction, isRejection, settleAction } from './action-log.ts';
import { buildOperatorEvent } from './operator-events.ts';

export interface SendDeps extends OperationsDeps {
  readonly engine: Pick<Engine, 'deliverIf'>;
}

/** `ignored`: the chart does not accept the event now; the journal records that as well. */
export interface SentEvent {
  readonly outcome: 'applied' | 'ignored';
  /** Leaf state after the event. */
  readonly state: string;
}

/**
 * Sends an event to an actor, with the guarantees of any other event; a repeated request is
 * delivered once. The event contains operator and reason, so the journal stores them in the same
 * commit; a row of `operator_action` is inserted before and completed after. Throws `STALE` when
 * the actor has moved on since the step that the operator saw, checked under the actor's lock, also
 * when a rejected request is repeated; `ACTOR_NOT_FOUND`, `REQUEST_REUSED`, `EVENT_FAILED` when the
 * chart or a projection failed, and what `buildOperatorEvent` throws.
 */
export async function sendOperatorEvent(
  { db, kinds, clock, engine }: SendDeps,
  operator: Operator,
  actorId: string,
  request: EventRequest,
): Promise<SentEvent> {
  const actor = await findRestingActor(db, kinds, actorId);
  if (actor === null) throw actorNotFound(actorId);
  const event = buildOperatorEvent({ kind: actor.kind.name, context: actor.context }, request, operator.userId);
  const { requestId, seenSequence } = request;
  const action = {
    requestId,
    who: operator.userId,
    what: 'event.sent',
    subjectId: actorId,
    details: { type: event.type, fields: request.fields, seenSequence },
    reason: String(event.reason),
  } as const;
  const { outcome: earlier } = await beginAction(db, action, clock.now());
  // The actor may have reached the named step since; the log says that the event was rejected.
  if (isRejection(earlier)) throw stale();
  const eventId = operatorEventId(requestId);
  const { outcome, state } = await engine.deliverIf({ actorId, eventId, event, expectedSequence: seenSequence });
  const settled =
    outcome === 'duplicate' ? await readEventOutcome(db, actorId, eventId) : { outcome, state: state ?? '' };
  await settleAction(db, requestId, { outcome: settled.outcome, now: clock.now() });
  switch (settled.outcome) {
    case 'applied':
    case 'ignored':
      return { outcome: settled.outcome, state: settled.state };
    case 'stale':
      throw stale();
    default:
      throw new TerminalError('EVENT_FAILED', `The event failed (${settled.outcome}) and is now a dead letter`);
  }
}

/** Event id, in the journal, of an operator's request. */
export function operatorEventId(requestId: string): string {
  return `${OPERATOR_EVENT_PREFIX}${requestId}`;
}

/** Outcome of an event that was delivered before. */
export async function readEventOutcome(
  db: OperationsDeps['db'],
  actorId: string,
  eventId: string,
): Promise<{ outcome: string; state: string }> {
  const entry = await findEntry(db, { actorId, eventId });
  if (entry === null) throw new Error(`${actorId} has accepted ${eventId} but has no journal entry for it`);
  return entry;
}

// Helpers

function stale(): TerminalError {
  return new TerminalError('STALE', 'The actor has changed since you loaded it; reload it and send the event again', {
    field: 'seenSequence',
  });
}

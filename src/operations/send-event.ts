import { whileDatabaseAnswers } from '../db/index.ts';
import { type Engine, findEntry, findRestingActor } from '../engine/index.ts';
import { TerminalError } from '../errors.ts';
import { actorNotFound } from './journal.ts';
import { beginAction, settleAction } from './operator-actions.ts';
import { buildOperatorEvent } from './operator-events.ts';
import type { OperationsDeps } from './population.ts';
import type { EventRequest, Operator } from './types.ts';

export interface SendDeps extends OperationsDeps {
  readonly engine: Pick<Engine, 'deliverIf'>;
}

/** `ignored`: the chart does not react to it now; that is in the journal as well. */
export interface SentEvent {
  readonly outcome: 'applied' | 'ignored';
  /** Leaf after it. */
  readonly state: string;
}

/**
 * Sends an event to an actor, under the same promises as any other: a repeated request is one event. Who sent it and why is in the
 * event itself, so the journal has it in the very commit; a row of `operator_action` is written before and completed after.
 * Throws `STALE` when the actor has moved on since the step the operator was looking at, which is asked under the actor's lock;
 * `ACTOR_NOT_FOUND`, `REQUEST_REUSED`, `EVENT_FAILED` when the chart or a projection broke on it, and what `buildOperatorEvent` does.
 */
export async function sendOperatorEvent(
  { db, kinds, clock, engine }: SendDeps,
  operator: Operator,
  actorId: string,
  request: EventRequest,
): Promise<SentEvent> {
  const actor = await whileDatabaseAnswers(() => findRestingActor(db, kinds, actorId));
  if (actor === null) throw actorNotFound(actorId);
  const event = buildOperatorEvent(actor.kind.name, request, operator.userId);
  const { requestId, seenSequence } = request;
  const action = {
    requestId,
    who: operator.userId,
    what: 'event.sent',
    subjectId: actorId,
    details: { type: event.type, fields: request.fields, seenSequence },
    reason: String(event.reason),
  } as const;
  await whileDatabaseAnswers(() => beginAction(db, action, clock.now()));
  const eventId = operatorEventId(requestId);
  const { outcome, state } = await engine.deliverIf({ actorId, eventId, event, expectedSequence: seenSequence });
  const settled =
    outcome === 'duplicate' ? await readEventOutcome(db, actorId, eventId) : { outcome, state: state ?? '' };
  await whileDatabaseAnswers(() => settleAction(db, requestId, { outcome: settled.outcome, now: clock.now() }));
  switch (settled.outcome) {
    case 'applied':
    case 'ignored':
      return { outcome: settled.outcome, state: settled.state };
    case 'stale':
      throw new TerminalError('STALE', 'The actor has moved on since you looked; look again and send it anew', {
        field: 'seenSequence',
      });
    default:
      throw new TerminalError('EVENT_FAILED', `The event was set aside (${settled.outcome}); see the dead letters`);
  }
}

/** Journal id of what an operator sends. */
export function operatorEventId(requestId: string): string {
  return `operator:${requestId}`;
}

/** How an event that was accepted before ended. */
export async function readEventOutcome(
  db: OperationsDeps['db'],
  actorId: string,
  eventId: string,
): Promise<{ outcome: string; state: string }> {
  const entry = await whileDatabaseAnswers(() => findEntry(db, { actorId, eventId }));
  if (entry === null) throw new Error(`${actorId} has accepted ${eventId} and has no entry of it`);
  return entry;
}

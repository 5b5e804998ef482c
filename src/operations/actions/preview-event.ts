import type { UnixMs } from '../../../machines/index.ts';
import {
  describeChart,
  findRestingActor,
  type Preview,
  previewEvent,
  type RestingActor,
} from '../../platform/engine/index.ts';
import type { OperationsDeps } from '../actors/population.ts';
import { actorNotFound } from '../journal/journal.ts';
import { changesBetween } from '../journal/json-changes.ts';
import { coinUnitOf, plain } from '../journal/step-details.ts';
import type { AcceptedEvent, EventPreview, EventRequest, Operator, RequestedEffect } from '../types.ts';
import { buildOperatorEvent, operatorEventsOf } from './operator-events.ts';

/**
 * The effect of sending this event, computed by the chart on a copy of the actor; nothing is
 * changed. Sending it later has the same effect, apart from timestamps, unless another event
 * arrives first. Throws `ACTOR_NOT_FOUND` and what `buildOperatorEvent` throws.
 */
export async function previewOperatorEvent(
  { db, kinds, clock }: OperationsDeps,
  operator: Operator,
  actorId: string,
  request: Pick<EventRequest, 'type' | 'fields' | 'reason'>,
): Promise<EventPreview> {
  const actor = await findRestingActor(db, kinds, actorId);
  if (actor === null) throw actorNotFound(actorId);
  const event = buildOperatorEvent({ kind: actor.kind.name, context: actor.context }, request, operator.userId);
  return toPreview(actor, previewEvent(actor, event, clock.now()));
}

/** Events that operators may send to this actor, and which of them would change anything now. */
export function acceptedEvents(actor: RestingActor, now: UnixMs): AcceptedEvent[] {
  return operatorEventsOf(actor.kind.name).map(({ type, label, fields: shape, sample, notFor }) => {
    const fields = shape as AcceptedEvent['fields'];
    const notOffered = notFor?.(actor.context) ?? null;
    if (notOffered !== null) return { type, label, fields, isEnabled: false, whyNot: notOffered };
    const requested = previewEvent(actor, { ...sample, type, by: '', reason: '' }, now);
    const { isTaken, state, changes, effects } = toPreview(actor, requested);
    const isEnabled = isTaken && (state !== actor.state || changes.length > 0 || effects.length > 0);
    const whyNot = isEnabled ? null : whyNothingChanges(actor, type);
    return { type, label, fields, isEnabled, whyNot };
  });
}

// Helpers

/**
 * Derived from the chart: the event belongs to other states, its guards fail, or nothing changes.
 */
function whyNothingChanges({ kind, state }: RestingActor, type: string): string {
  const handled = describeChart(kind).transitions.filter(({ event }) => event === type);
  if (handled.length === 0) return 'not handled by this version of the chart';
  const here = handled.filter(({ from }) => from === '' || state === from || state.startsWith(`${from}.`));
  if (here.length === 0) return `only in ${[...new Set(handled.map(({ from }) => from))].join(', ')}`;
  const guards = here.flatMap(({ guard }) => (guard === null ? [] : [guard]));
  if (guards.length === here.length) return `guard does not hold: ${guards.join(', ')}`;
  return 'changes nothing now';
}

function toPreview(actor: RestingActor, { outcome, state, context, effects }: Preview): EventPreview {
  return {
    isTaken: outcome === 'applied',
    state,
    changes: changesBetween(plain(actor.context), plain(context)),
    effects,
    webhooks: effects.flatMap(webhookOf),
    coin: coinUnitOf(plain(actor.context)),
  };
}

/** All charts that notify merchants use this effect. */
function webhookOf({ type, params }: RequestedEffect): string[] {
  if (type !== 'notifyMerchant' || typeof params !== 'object' || params === null || !('event' in params)) return [];
  return [String(params.event)];
}

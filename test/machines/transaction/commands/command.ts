import type fc from 'fast-check';
import type { TransactionEvent, UnixMs } from '../../../../machines/index.ts';
import type { ActorRun, Step } from '../actor-run.ts';
import { slotName } from '../model/arbitraries.ts';
import { checkInvariants } from '../model/invariants.ts';
import type { LedgerModel, OutputEvent } from '../model/model.ts';
import type { ReportedOutput } from '../observations.ts';
import { DUE } from '../terms.ts';

/** An event that may happen to a transaction in any state. */
export type TransactionCommand = fc.Command<LedgerModel, ActorRun>;

/** Delivers one event to the actor and checks every invariant afterwards. */
export function deliver(model: LedgerModel, run: ActorRun, event: TransactionEvent): Step {
  if ('outputId' in event && run.view().status === 'active') model.delivered.push(event);
  const step = run.send(event);
  checkInvariants({ model, run, step });
  return step;
}

/** The watcher makes an observation. It arrives at once, or later and possibly after newer ones. */
export function report(model: LedgerModel, run: ActorRun, observation: OutputEvent, isDelayed: boolean): void {
  if (isDelayed) model.inProgress.push(observation);
  else deliver(model, run, accepted(model, observation));
}

/** Sets the time an event is accepted: never before the coins were seen. */
export function accepted(model: LedgerModel, observation: OutputEvent): OutputEvent {
  return { ...observation, at: advanceTo(model, observation.firstSeenAt) };
}

export function advanceTo(model: LedgerModel, moment: UnixMs): UnixMs {
  model.now = Math.max(model.now, moment);
  return model.now;
}

/**
 * The next observation of an output. Like in the observation sink, all of them have the first
 * sighting's time, in whatever order they arrive.
 */
export function observationOf(
  model: LedgerModel,
  slot: number,
  reported: Omit<ReportedOutput, 'order' | 'id' | 'amount'>,
): ReportedOutput {
  const firstSeenAt = model.sightings.get(slot) ?? reported.firstSeenAt;
  if (firstSeenAt !== undefined) model.sightings.set(slot, firstSeenAt);
  const sighting = firstSeenAt === undefined ? {} : { firstSeenAt };
  return { ...reported, ...sighting, id: slotName(slot), amount: model.cast[slot] ?? DUE, order: nextOrder(model) };
}

export function nextOrder(model: LedgerModel): number {
  model.lastOrder += 1;
  return model.lastOrder;
}

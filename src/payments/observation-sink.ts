import type { Kysely } from 'kysely';
import type { Bus } from '../bus/index.ts';
import type { Observation, ObservationSink, Telling } from '../chains/index.ts';
import type { Database } from '../db/index.ts';
import { announce } from '../engine/index.ts';
import type { Log } from '../log.ts';
import { inWork } from '../work-context.ts';
import { actorMessage, chainEventCommand } from './chain-events.ts';
import { type AssignedObservation, type Destination, findDestinations, paymentOutputOf } from './destinations.ts';
import { reclaimUnassigned } from './reclaim-unassigned.ts';
import { recordStrays } from './stray-payments.ts';
import { keepSightings, sortKnown } from './watching/news.ts';
import { holdTurn } from './watching/turn.ts';

/**
 * Sends observations to the actors of the addresses they pay, and records those that belong to no
 * running payment: money is never ignored. Resolves when everything is recorded and the bus has
 * accepted the rest, announced, so that no window closes over coins that are still on their way to
 * their payment. No coin is both. What a payment knows is not sent again unless it is asked for.
 *
 * Without `isAsked` it runs outside the caller's request context: a poll serves all payments, also
 * one that the verification of a single payment has started.
 */
export function createObservationSink({ db, bus, log }: { db: Kysely<Database>; bus: Bus; log: Log }): ObservationSink {
  async function carry(observations: readonly Observation[], { epoch, isAsked }: Telling): Promise<void> {
    const [first] = observations;
    if (first === undefined) return;
    const destinations = await findDestinations(db, observations);
    const owned: AssignedObservation[] = [];
    const foreign: Observation[] = [];
    for (const [place, observation] of observations.entries()) {
      const destination: Destination | undefined = destinations[place];
      if (destination?.kind === 'actor') owned.push({ ...destination, observation });
      else foreign.push(observation);
    }
    if (foreign.length > 0) {
      // An address may be handed out at this very moment: what is found to be its payment then goes there after all.
      const taken = owned.map(({ transactionId, observation }) => paymentOutputOf(transactionId, observation));
      const { claimed, alarms } = await recordStrays(db, foreign, taken);
      owned.push(...claimed);
      // Of two reports about one output the newer one must stay the last.
      const places = new Map(observations.map((observation, place) => [observation, place]));
      owned.sort((one, other) => (places.get(one.observation) ?? 0) - (places.get(other.observation) ?? 0));
      for (const alarm of alarms) log.error(alarm, 'coins arrived that no running payment takes');
    }
    const sighted = await keepSightings(db, owned);
    const { news, underWay } = isAsked ? { news: sighted, underWay: [] } : await sortKnown(db, sighted);
    const messages = news.map((each) => actorMessage(chainEventCommand(each.transactionId, each.observation)));
    // Only now: a handler may need the one connection that an embedded database has.
    await announce({ db, bus }, messages, async (trx) => {
      await holdTurn(trx, { network: first.network, epoch });
      await reclaimUnassigned(trx, news);
    });
    // Their process may have died before it published them. The broker drops repeats.
    await Promise.all(underWay.map((message) => bus.publish(message)));
  }

  return (observations, telling) =>
    telling.isAsked ? carry(observations, telling) : inWork(null, () => carry(observations, telling));
}

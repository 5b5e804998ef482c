import type { Kysely } from 'kysely';
import type { Observation, ObservationSink, ReportOptions } from '../../chains/index.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { publishObservations } from '../../platform/engine/index.ts';
import type { Log } from '../../platform/log.ts';
import { runInContext } from '../../platform/request-context.ts';
import { reclaimUnassigned } from '../unassigned/reclaim-unassigned.ts';
import { recordUnassigned } from '../unassigned/unassigned-payments.ts';
import { actorMessage } from './chain-events.ts';
import { type AssignedObservation, type Destination, findDestinations, paymentOutputOf } from './destinations.ts';
import { requireFencingToken } from './fencing.ts';
import { filterNewObservations } from './new-observations.ts';

export interface SinkDeps {
  readonly db: Kysely<Database>;
  readonly bus: Bus;
  readonly log: Log;
  /** Base URL of links in emails, without a trailing slash. */
  readonly publicUrl: string;
}

/**
 * Sends observations to the actors of the addresses they pay, and records the ones that belong to
 * no active payment, so that no coins are ignored. Resolves when those are recorded and the bus has
 * accepted the rest. The rest is also stored as pending observations, so that no window closes over
 * coins still in transit to their payment. No coin is in both. Known observations are not sent
 * again unless `isForced` is set.
 *
 * Without `isForced` it runs outside the caller's request context: a poll serves all payments, even
 * one that the verification of a single payment has started.
 */
export function createObservationSink({ db, bus, log, publicUrl }: SinkDeps): ObservationSink {
  async function send(observations: readonly Observation[], { epoch, isForced }: ReportOptions): Promise<void> {
    const [first] = observations;
    if (first === undefined) return;
    const destinations = await findDestinations(db, observations);
    const assigned: AssignedObservation[] = [];
    const unassigned: Observation[] = [];
    for (const [index, observation] of observations.entries()) {
      const destination: Destination | undefined = destinations[index];
      if (destination?.kind === 'actor') assigned.push({ ...destination, observation });
      else unassigned.push(observation);
    }
    if (unassigned.length > 0) {
      // An address may be assigned concurrently: `claimed` are the coins that its payment gets.
      const taken = assigned.map(({ transactionId, observation }) => paymentOutputOf(transactionId, observation));
      const { claimed, alerts } = await db
        .transaction()
        .execute((trx) => recordUnassigned(trx, unassigned, { taken, publicUrl }));
      assigned.push(...claimed);
      // Of two reports about one output the newer one must stay last.
      const indexOf = new Map(observations.map((observation, index) => [observation, index]));
      assigned.sort((one, other) => (indexOf.get(one.observation) ?? 0) - (indexOf.get(other.observation) ?? 0));
      for (const alert of alerts) log.error(alert, 'coins arrived that no active payment accepts');
    }
    const { fresh, inProgress } = await filterNewObservations(db, assigned, { isForced });
    const messages = fresh.map(({ command }) => actorMessage(command));
    // Only now: a handler may need the only connection of an embedded database.
    await publishObservations({ db, bus }, messages, async (trx) => {
      await requireFencingToken(trx, { network: first.network, epoch });
      await reclaimUnassigned(trx, fresh);
    });
    // The process that stored them may have died before publishing. The broker drops duplicates.
    await Promise.all(inProgress.map((message) => bus.publish(message)));
  }

  return (observations, options) =>
    options.isForced ? send(observations, options) : runInContext(null, () => send(observations, options));
}

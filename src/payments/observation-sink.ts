import type { Kysely } from 'kysely';
import type { Bus } from '../bus/index.ts';
import type { Observation, ObservationSink } from '../chains/index.ts';
import type { Database } from '../db/index.ts';
import type { Log } from '../log.ts';
import { actorMessage, chainEventCommand } from './chain-events.ts';
import { type Destination, findDestinations } from './destinations.ts';
import { recordStrays } from './stray-payments.ts';

/**
 * Carries observations to the actors of the addresses they pay, and records those that belong to no running payment: money
 * is never ignored. Resolves when everything is recorded and the bus has taken the rest. No coin is both.
 */
export function createObservationSink({ db, bus, log }: { db: Kysely<Database>; bus: Bus; log: Log }): ObservationSink {
  return async (observations) => {
    if (observations.length === 0) return;
    const destinations = await findDestinations(db, observations);
    const owned: Owned[] = [];
    const foreign: Observation[] = [];
    for (const [place, observation] of observations.entries()) {
      const destination: Destination | undefined = destinations[place];
      if (destination?.kind === 'actor') owned.push({ observation, transactionId: destination.transactionId });
      else foreign.push(observation);
    }
    if (foreign.length > 0) {
      // An address may be handed out at this very moment: what is found to be its payment then goes there after all.
      const { claimed, alarms } = await recordStrays(db, foreign);
      owned.push(...claimed);
      for (const alarm of alarms) log.error(alarm, 'coins arrived that no running payment takes');
    }
    // Only now: a handler may need the one connection that an embedded database has.
    await Promise.all(
      owned.map(({ transactionId, observation }) =>
        bus.publish(actorMessage(chainEventCommand(transactionId, observation))),
      ),
    );
  };
}

interface Owned {
  readonly transactionId: string;
  readonly observation: Observation;
}

import { type Kysely, sql } from 'kysely';
import { type Bus, partitionOf } from '../bus/index.ts';
import type { Observation, ObservationSink } from '../chains/index.ts';
import type { Database } from '../db/index.ts';
import { actorQueue } from '../engine/index.ts';
import type { Log } from '../log.ts';
import { chainEventCommand } from './chain-events.ts';

/**
 * Carries observations to the actors of the addresses they pay. Resolves when the bus has taken all of them. Coins on an
 * address that nobody was given, or whose monitoring has ended, become an operator alert: money is never ignored.
 */
export function createObservationSink(deps: { db: Kysely<Database>; bus: Bus; log: Log }): ObservationSink {
  return async (observations) => {
    const owners = await findOwners(deps.db, observations);
    await Promise.all(
      observations.map((observation) => {
        const owner = owners.get(`${observation.network} ${observation.watchKey}`);
        if (owner === undefined) return reportOrphan(deps, observation, 'coins_at_unassigned_address');
        if (owner.isReleased) return reportOrphan(deps, observation, 'coins_after_monitoring');
        const { transactionId } = owner;
        const command = chainEventCommand(transactionId, observation);
        return deps.bus.publish({
          queue: actorQueue('transaction'),
          partition: partitionOf(transactionId),
          id: `${transactionId}:${command.eventId}`,
          data: command,
        });
      }),
    );
  };
}

// Helpers

interface Owner {
  readonly transactionId: string;
  /** Its actor is done and would ignore the coins. */
  readonly isReleased: boolean;
}

async function findOwners(db: Kysely<Database>, observations: readonly Observation[]): Promise<Map<string, Owner>> {
  const { rows } = await sql<{ network: string; watch_key: string; transaction_id: string; is_released: boolean }>`
    select address.network, address.watch_key, address.transaction_id, address.released_at is not null as is_released
    from unnest(
      ${observations.map((each) => each.network)}::text[], ${observations.map((each) => each.watchKey)}::text[]
    ) as asked (network, watch_key)
    join address on address.network = asked.network and address.watch_key = asked.watch_key
    where address.transaction_id is not null`.execute(db);
  return new Map(
    rows.map((row) => [
      `${row.network} ${row.watch_key}`,
      { transactionId: row.transaction_id, isReleased: row.is_released },
    ]),
  );
}

/** Told once per output, when it is in a block. */
async function reportOrphan(
  { db, log }: { db: Kysely<Database>; log: Log },
  { network, outputId, amountBaseUnits, standing }: Observation,
  alert: 'coins_at_unassigned_address' | 'coins_after_monitoring',
): Promise<void> {
  if (standing.kind !== 'block') return;
  const detail = `${amountBaseUnits} base units in ${outputId} on ${network}`;
  const known = await db
    .selectFrom('operator_alert')
    .select('id')
    .where('alert', '=', alert)
    .where('detail', '=', detail)
    .executeTakeFirst();
  if (known !== undefined) return;
  await db.insertInto('operator_alert').values({ actor_id: null, alert, detail }).execute();
  log.error({ alert, network, outputId }, 'coins arrived that no running payment takes');
}

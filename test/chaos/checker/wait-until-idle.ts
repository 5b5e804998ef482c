import { type Kysely, sql } from 'kysely';
import { MINUTE_MS, type UnixMs } from '../../../machines/index.ts';
import type { Database } from '../../../src/platform/db/index.ts';
import type { Deadline } from '../deadline.ts';
import type { Environment } from '../environment/environment.ts';
import { ageSentMessages } from '../environment/own-postgres.ts';

/** Remaining work; all zero when the service is idle. */
interface Left {
  readonly outbox: number;
  readonly pendingObservations: number;
  readonly open: number;
  readonly deliveries: number;
  readonly timers: number;
  readonly bus: number;
  /** Networks without a completed poll since the last block was mined: after 401 pauses grow. */
  readonly unwatched: number;
}

/** Step by which the clock advances when only timers are pending. */
const STEP_MS = 10 * MINUTE_MS;
/** After this many polls in a row without any change, only timers can be pending. */
const IDLE_POLLS = 20;

/** Waits until the service is idle. Advances the clock when pending retries are not due yet. */
export async function waitUntilIdle(deps: {
  readonly db: Kysely<Database>;
  readonly environment: Environment;
  readonly deadline: Deadline;
}): Promise<void> {
  const { db, environment, deadline } = deps;
  const since = environment.world.now();
  let last = '';
  let unchanged = 0;
  await deadline.until(
    async () => {
      const left = await readLeft(db, environment, since);
      const text = JSON.stringify(left);
      unchanged = text === last ? unchanged + 1 : 0;
      last = text;
      if (Object.values(left).every((count) => count === 0)) return true;
      if (unchanged >= IDLE_POLLS) {
        unchanged = 0;
        await environment.advance(STEP_MS);
        await ageSentMessages(environment.postgres, STEP_MS);
      }
      return null;
    },
    () => `left are ${last}`,
  );
}

// Helpers

async function readLeft(db: Kysely<Database>, environment: Environment, since: UnixMs): Promise<Left> {
  const { rows } = await sql<Omit<Left, 'bus'>>`
    select (select count(*)::int from outbox_message) as outbox,
      (select count(*)::int from pending_observation) as "pendingObservations",
      (select count(*)::int from transaction where status in ('pending', 'partial', 'awaiting_confirmation')) as open,
      (select count(*)::int from webhook_delivery where ended_at is null) as deliveries,
      (select count(*)::int from timer where name <> 'monitoring_ended') as timers,
      (select count(*)::int from chain_cursor
        where synced_until is null or synced_until <= to_timestamp(${since} / 1000.0)) as unwatched`.execute(db);
  const [counts] = rows;
  if (counts === undefined) throw new Error('the database counted nothing');
  return { ...counts, bus: await environment.nats.waiting() };
}

import { type Kysely, sql } from 'kysely';
import { MINUTE_MS, type UnixMs } from '../../../machines/index.ts';
import type { Database } from '../../../src/db/index.ts';
import type { Patience } from '../patience.ts';
import { ageSentMessages } from '../stage/age-messages.ts';
import type { Stage } from '../stage/stage.ts';

/** What is left to be done; all zero when the service has come to rest. */
interface Left {
  readonly outbox: number;
  readonly announced: number;
  readonly open: number;
  readonly deliveries: number;
  readonly timers: number;
  readonly bus: number;
  /** Networks whose watcher has not looked at everything since the last block was mined: after 401 it pauses longer and longer. */
  readonly unwatched: number;
}

/** When only clocks are waited for, time goes on in such steps. */
const STEP_MS = 10 * MINUTE_MS;
/** Looks in a row without any change after which clocks are taken for what is waited for. */
const IDLE_LOOKS = 20;

/** Waits until nothing is under way any more. Retries that wait for their time get it: the clock is moved. */
export async function comeToRest(deps: {
  readonly db: Kysely<Database>;
  readonly stage: Stage;
  readonly patience: Patience;
}): Promise<void> {
  const { db, stage, patience } = deps;
  const since = stage.world.now();
  let last = '';
  let unchanged = 0;
  await patience.until(
    async () => {
      const left = await readLeft(db, stage, since);
      const text = JSON.stringify(left);
      unchanged = text === last ? unchanged + 1 : 0;
      last = text;
      if (Object.values(left).every((count) => count === 0)) return true;
      if (unchanged >= IDLE_LOOKS) {
        unchanged = 0;
        await stage.advance(STEP_MS);
        await ageSentMessages(stage.postgres, STEP_MS);
      }
      return null;
    },
    () => `left are ${last}`,
  );
}

// Helpers

async function readLeft(db: Kysely<Database>, stage: Stage, since: UnixMs): Promise<Left> {
  const { rows } = await sql<Omit<Left, 'bus'>>`
    select (select count(*)::int from outbox_message) as outbox,
      (select count(*)::int from announced_event) as announced,
      (select count(*)::int from transaction where status in ('pending', 'partial', 'awaiting_confirmation')) as open,
      (select count(*)::int from actor where kind = 'delivery' and status = 'active') as deliveries,
      (select count(*)::int from timer where name <> 'monitoring_ended') as timers,
      (select count(*)::int from chain_cursor
        where looked_until is null or looked_until <= to_timestamp(${since} / 1000.0)) as unwatched`.execute(db);
  const [counts] = rows;
  if (counts === undefined) throw new Error('the database counted nothing');
  return { ...counts, bus: await stage.nats.waiting() };
}

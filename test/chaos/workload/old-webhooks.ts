import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { HOUR_MS, MINUTE_MS, RESPONSE_OVERDUE_MS, type UnixMs } from '../../../machines/index.ts';
import type { Database } from '../../../src/platform/db/index.ts';
import type { Deadline } from '../deadline.ts';
import type { Environment } from '../environment/environment.ts';

/**
 * A round can take five hours, and the end of the run seven: after either, a webhook of this age
 * has half a day left.
 */
const OLD_MS = 6 * HOUR_MS;
/** One step is long enough for attempts lost with a killed sender to be retried. */
const STEP_MS = RESPONSE_OVERDUE_MS + MINUTE_MS;
/**
 * After this long without any change, on an idle machine, only advancing the clock helps. On a
 * slower one a webhook's day would be over before it was tried as often as in a real one.
 */
const QUIET_MS = 6_000;
const POLL_MS = 300;

/**
 * During the faults, waits until old webhooks with a due attempt reach their endpoints, while the
 * clock advances in small steps. A webhook is given up after a day with hundreds of attempts; here
 * that day passes in half an hour, so a few failures would be enough. A webhook whose next attempt
 * is hours away is not waited for.
 */
export async function tryOldWebhooks(deps: {
  readonly db: Kysely<Database>;
  readonly environment: Environment;
  readonly deadline: Deadline;
  /** How many times slower than an idle machine this one is; at least 1. */
  readonly slowness: number;
}): Promise<void> {
  const { db, environment, deadline, slowness } = deps;
  const quietMs = QUIET_MS * slowness;
  let left: number | null = null;
  let changedAt = performance.now();
  await deadline.until(
    async () => {
      const now = environment.world.now();
      const found = await countTried(db, { bornBefore: now - OLD_MS, dueBefore: now + STEP_MS }).catch(() => left);
      if (found !== left) changedAt = performance.now();
      left = found;
      if (left === 0) return true;
      if (performance.now() - changedAt > quietMs) {
        await environment.advance(STEP_MS);
        changedAt = performance.now();
      }
      await sleep(POLL_MS);
      return null;
    },
    () => `${left} old webhooks are still being tried`,
  );
}

// Helpers

async function countTried(db: Kysely<Database>, by: { bornBefore: UnixMs; dueBefore: UnixMs }): Promise<number> {
  const { rows } = await sql<{ tried: number }>`
    select count(*)::int as tried from webhook_delivery as delivery left join timer on timer.actor_id = delivery.id
    where delivery.created_at < to_timestamp(${by.bornBefore} / 1000.0)
      and (delivery.state = 'sending' or timer.due_at < to_timestamp(${by.dueBefore} / 1000.0))`.execute(db);
  return rows[0]?.tried ?? 0;
}

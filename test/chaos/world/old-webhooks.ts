import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { ANSWER_OVERDUE_MS, HOUR_MS, MINUTE_MS, type UnixMs } from '../../../machines/index.ts';
import type { Database } from '../../../src/db/index.ts';
import type { Patience } from '../patience.ts';
import type { Stage } from '../stage/stage.ts';

/** A round can take five hours, and the end of the world seven: after each of them a webhook of this age has half a day left. */
const OLD_MS = 6 * HOUR_MS;
/** In one such step, each attempt that a killed sender has taken with it is asked for again. */
const STEP_MS = ANSWER_OVERDUE_MS + MINUTE_MS;
/** Without any change for so long, only time helps. */
const QUIET_MS = 3_000;

/**
 * Lets webhooks that have become old and are being tried reach their endpoints, in the middle of the storm, while time goes on in small steps. A webhook is
 * given up after a day, in which it is tried hundreds of times; here that day is over in half an hour, and what was unlucky a few times
 * would be given up. One that waits hours for its next attempt is left to wait.
 */
export async function tryOldWebhooks(deps: {
  readonly db: Kysely<Database>;
  readonly stage: Stage;
  readonly patience: Patience;
}): Promise<void> {
  const { db, stage, patience } = deps;
  let left: number | null = null;
  let changedAt = performance.now();
  await patience.until(
    async () => {
      const now = stage.world.now();
      const found = await countTried(db, { bornBefore: now - OLD_MS, dueBefore: now + STEP_MS }).catch(() => left);
      if (found !== left) changedAt = performance.now();
      left = found;
      if (left === 0) return true;
      if (performance.now() - changedAt > QUIET_MS) {
        await stage.advance(STEP_MS);
        changedAt = performance.now();
      }
      await sleep(QUIET_MS / 10);
      return null;
    },
    () => `${left} old webhooks are still being tried`,
  );
}

// Helpers

async function countTried(db: Kysely<Database>, by: { bornBefore: UnixMs; dueBefore: UnixMs }): Promise<number> {
  const { rows } = await sql<{ tried: number }>`
    select count(*)::int as tried from timer join webhook_delivery as delivery on delivery.id = timer.actor_id
    where delivery.created_at < to_timestamp(${by.bornBefore} / 1000.0)
      and (delivery.state = 'sending' or timer.due_at < to_timestamp(${by.dueBefore} / 1000.0))`.execute(db);
  return rows[0]?.tried ?? 0;
}

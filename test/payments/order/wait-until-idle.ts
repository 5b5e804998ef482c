import { sql } from 'kysely';
import { expect } from 'vitest';
import type { TestDatabase } from '../../support/database/test-database.ts';
import { POLLING } from '../../support/polling.ts';

const NOTHING = { announced: 0, outbox: 0, requested: 0, due: 0 };
/** Longer than a redelivery by the broker or by the redelivery of pending observations. */
const STANDSTILL_MS = 10_000;
/** The lease of a timer; a verification without a response is asked again after ten of them. */
const STEP_MS = 60_000;
const MAX_STEPS = 12;

interface IdleSource {
  readonly clock: { now(): number; advance(byMs: number): void };
  /** Whether NATS may withhold a message, which is then repeated only as the clock advances. */
  mayWithhold(): Promise<boolean>;
}

/**
 * Resolves when nothing is pending: no event, message, due timer or verification. Where a restart
 * of NATS has lost a message, the clock advances until what repeats it is due.
 */
export async function waitUntilIdle({ db }: Pick<TestDatabase, 'db'>, harness: IdleSource): Promise<void> {
  const { clock } = harness;
  const waiting = async () => {
    const { rows } = await sql<{ what: string; count: number }>`
      select 'announced' as what, count(*)::int4 as count from pending_observation
      union all select 'outbox', count(*)::int4 from outbox_message
      union all select 'requested', count(*)::int4 from timer where name = 'verification_overdue'
      union all select 'due', count(*)::int4 from timer left join watermark on watermark.gate = timer.gate
        where case when timer.height is not null then timer.height <= watermark.height
          else timer.fires_at <= to_timestamp(${clock.now() / 1_000}::float8)
            and (timer.gate is null or timer.due_at < watermark.reached_at) end`.execute(db);
    return Object.fromEntries(rows.map(({ what, count }) => [what, count]));
  };
  for (let step = 0; step < MAX_STEPS && (await harness.mayWithhold()); step += 1) {
    const isQuiet = await expect
      .poll(waiting, { ...POLLING, timeout: STANDSTILL_MS })
      .toEqual(NOTHING)
      .then(
        () => true,
        () => false,
      );
    if (isQuiet) return;
    clock.advance(STEP_MS);
  }
  await expect.poll(waiting, POLLING).toEqual(NOTHING);
}

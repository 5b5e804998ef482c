import { sql } from 'kysely';
import { expect } from 'vitest';
import type { TestDatabase } from '../../support/database/test-database.ts';
import { PATIENCE } from '../../support/service/engine.ts';

/** Resolves when nothing is pending: no event, message, due timer or verification. */
export async function untilQuiet({ db }: Pick<TestDatabase, 'db'>, now: () => number): Promise<void> {
  const waiting = async () => {
    const { rows } = await sql<{ what: string; count: number }>`
      select 'announced' as what, count(*)::int4 as count from announced_event
      union all select 'outbox', count(*)::int4 from outbox_message
      union all select 'asked', count(*)::int4 from timer where name = 'verification_overdue'
      union all select 'due', count(*)::int4 from timer left join watermark on watermark.gate = timer.gate
        where case when timer.height is not null then timer.height <= watermark.height
          else timer.fires_at <= to_timestamp(${now() / 1_000}::float8)
            and (timer.gate is null or timer.due_at < watermark.reached_at) end`.execute(db);
    return Object.fromEntries(rows.map(({ what, count }) => [what, count]));
  };
  await expect.poll(waiting, PATIENCE).toEqual({ announced: 0, outbox: 0, asked: 0, due: 0 });
}

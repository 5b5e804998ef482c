import { type Kysely, sql } from 'kysely';
import { expect, vi } from 'vitest';
import type { Database } from '../../src/db/index.ts';
import { countWritten } from '../api/support.ts';
import type { TestApp } from '../support/app.ts';
import { PATIENCE } from '../support/engine.ts';

/** Rows of everything that requests write, by table. */
export async function countRows(app: TestApp): Promise<Readonly<Record<string, unknown>>> {
  const { rows } = await sql<Record<string, unknown>>`
    select (select count(*) from webhook_endpoint) as webhook_endpoint,
      (select count(*) from webhook_endpoint where deleted_at is null) as living_endpoint,
      (select count(*) from webhook_delivery) as webhook_delivery,
      (select count(*) from webhook_attempt) as webhook_attempt,
      (select count(*) from webhook_replay) as webhook_replay,
      (select count(*) from schedule) as schedule,
      (select count(*) from schedule_period) as schedule_period,
      (select count(*) from schedule_token) as schedule_token,
      (select count(*) from mail) as mail,
      (select count(*) from audit_entry) as audit_entry`.execute(app.connection.db);
  return { ...(await countWritten(app)), ...rows[0] };
}

/** Resolves when what earlier requests have started has come to rest; it goes on behind their answers. */
export async function settle(db: Kysely<Database>): Promise<void> {
  const isBusy = async () => {
    const { rows } = await sql<{ busy: boolean }>`
      select exists (select from outbox_message)
        or exists (select from webhook_replay where state = 'running')
        or exists (select from webhook_delivery where state = 'sending') as busy`.execute(db);
    return rows[0]?.busy;
  };
  await vi.waitFor(async () => expect(await isBusy()).toBe(false), PATIENCE);
}

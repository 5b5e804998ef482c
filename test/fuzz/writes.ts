import { type Kysely, sql } from 'kysely';
import { expect, vi } from 'vitest';
import type { Database } from '../../src/platform/db/index.ts';
import { countWritten } from '../http/api/support.ts';
import { POLLING } from '../support/polling.ts';
import type { TestApp } from '../support/service/app.ts';
import { isSoak } from './soak.ts';

/** During a soak a replay has many webhooks to send again. */
const SOAK_POLLING = { ...POLLING, timeout: 600_000 };

/** Row counts of all tables that requests write to. */
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

/** Resolves when the background work of earlier requests is done. */
export async function settle(db: Kysely<Database>): Promise<void> {
  const readBusy = async () => {
    const { rows } = await sql<Record<string, number>>`
      select (select count(*)::int4 from outbox_message) as messages,
        (select count(*)::int4 from webhook_replay where state = 'running') as replays,
        (select count(*)::int4 from webhook_delivery where state = 'sending') as deliveries`.execute(db);
    return rows[0];
  };
  const polling = isSoak ? SOAK_POLLING : POLLING;
  await vi.waitFor(async () => expect(await readBusy()).toEqual({ messages: 0, replays: 0, deliveries: 0 }), polling);
}

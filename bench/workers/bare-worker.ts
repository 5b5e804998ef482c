import { createServer } from 'node:http';
import { sql } from 'kysely';
import { createNatsBus } from '../../src/platform/bus/index.ts';
import { connect } from '../../src/platform/db/index.ts';
import { createLogger } from '../../src/platform/log.ts';
import { listenAndPrintUrl } from '../support/child.ts';
import { createGroup } from '../support/group.ts';
import { BARE_QUEUE } from './bare-queue.ts';
import type { WorkerSettings } from './worker.ts';

/**
 * The ceiling: takes messages from the same bus and writes one row for each, of about the size of a
 * journal entry, in group commits; no statechart, no projection, no webhook.
 */

const MESSAGES_IN_FLIGHT = 64;

async function main(settings: WorkerSettings): Promise<void> {
  const log = createLogger({ level: 'error' });
  const { db } = await connect({ url: settings.DATABASE_URL, dataDir: null, poolSize: Number(settings.POOL_SIZE) });
  const bus = createNatsBus({ url: settings.NATS_URL, prefix: settings.NATS_PREFIX, deadLetter: async () => {}, log });
  const group = createGroup<{ id: string; data: unknown }>(async (batch) => {
    const [ids, data] = [batch.map(({ id }) => id), batch.map((each) => JSON.stringify(each.data))];
    await sql`
      insert into bench_bare (id, data) select id, data::jsonb from unnest(${ids}::text[], ${data}::text[]) as fresh (id, data)
      on conflict do nothing`.execute(db);
  });
  await bus.subscribe({ queue: BARE_QUEUE, maxInFlightPerPartition: MESSAGES_IN_FLIGHT }, ({ id, data }) =>
    group.submit({ id, data }),
  );
  listenAndPrintUrl(createServer((_request, response) => response.end('{"handled":{},"cpuMs":0}')));
}

await main(process.env as unknown as WorkerSettings);

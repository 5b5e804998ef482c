import pg from 'pg';
import { expect, test } from 'vitest';
import { createOwnPostgres, type OwnPostgres } from '../chaos/environment/own-postgres.ts';
import type { PowerDisk } from '../support/outside/power-disk.ts';
import { POLLING } from '../support/polling.ts';
import { describeWith } from '../support/run/components.ts';
import { createPowerCutHarness } from './harness.ts';

const WRITERS = 4;
const MIN_ACKNOWLEDGED = 100;

describeWith('powerCuts', 'postgresPrograms')('Postgres, when the power is cut while it commits,', () => {
  test('keeps every acknowledged row', async () => {
    const { acknowledged, found } = await cutWhileWriting('on');
    expect(found.filter((id) => acknowledged.has(id))).toHaveLength(acknowledged.size);
  });

  test('loses acknowledged rows when fsync is off, which proves that the power cut is real', async () => {
    const { acknowledged, found } = await cutWhileWriting('off');
    expect(found.filter((id) => acknowledged.has(id)).length).toBeLessThan(acknowledged.size);
  });
});

// Helpers

/** Numbers acknowledged before the cut, and those found after it. */
async function cutWhileWriting(
  fsync: 'on' | 'off',
): Promise<{ acknowledged: ReadonlySet<number>; found: readonly number[] }> {
  const { disk, reaper, logFile } = createPowerCutHarness();
  const postgres = await createOwnPostgres({ disk, reaper, logFile, fsync });
  await postgres.ask('create table note (id int primary key)');
  await postgres.ask('checkpoint');
  disk.sync();
  const acknowledged = new Set<number>();
  const writing = Array.from({ length: WRITERS }, (_, writer) => write(postgres.url, writer, acknowledged));
  await expect.poll(() => acknowledged.size, POLLING).toBeGreaterThan(MIN_ACKNOWLEDGED);
  disk.cut();
  await postgres.crash();
  await Promise.all(writing);
  return { acknowledged, found: await readAfter(disk, postgres) };
}

/** Inserts its own numbers one by one until the server is gone. */
async function write(url: string, writer: number, acknowledged: Set<number>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  try {
    await client.connect();
    for (let id = writer; ; id += WRITERS) {
      await client.query('insert into note (id) values ($1)', [id]);
      acknowledged.add(id);
    }
  } catch {
    // The power was cut.
  } finally {
    await client.end().catch(() => {});
  }
}

/** Empty when the database is too damaged to be read. */
async function readAfter(disk: PowerDisk, postgres: OwnPostgres): Promise<number[]> {
  await disk.restore();
  await postgres.start();
  return (await postgres.ask<{ id: number }>('select id from note')).map(({ id }) => id);
}

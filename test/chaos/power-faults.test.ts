import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createNatsBus } from '../../src/platform/bus/index.ts';
import { describeWith } from '../support/run/components.ts';
import { level } from '../support/run/level.ts';
import { canNatsSyncEachMessage } from '../support/run/nats-version.ts';
import { silentLog } from '../support/silent-log.ts';
import type { Environment } from './environment/environment.ts';
import { createOwnNats } from './environment/own-nats.ts';
import { createOwnPostgres } from './environment/own-postgres.ts';
import { startReaper } from './environment/reaper.ts';
import { createServerDisk } from './environment/server-disk.ts';
import { NATS_POWER_CUT, POSTGRES_POWER_CUT } from './faults/power-faults.ts';
import { describeLeftOut } from './faults/storm.ts';
import { createRandom } from './random.ts';

// At the quick level the next suite covers the disk.
if (level.isFull)
  describeWith('powerCuts', 'postgresPrograms')('a power cut of Postgres', () => {
    test('kills every process and loses unsynced writes, but no committed row', async () => {
      const { disk, ...deps } = await createDisk();
      const postgres = await createOwnPostgres({ ...deps, disk });
      disk.power?.sync();
      await postgres.ask('create table note as select 1 as id');
      writeFileSync(join(disk.folder, 'not synced'), 'data');
      const trouble = await POSTGRES_POWER_CUT.begin(
        { disks: { postgres: disk }, postgres } as Environment,
        createRandom(1),
      );
      await expect(postgres.ask('select 1')).rejects.toThrow('ECONNREFUSED');
      await trouble.repair();
      expect(await postgres.ask('select id from note')).toEqual([{ id: 1 }]);
      expect(trouble.effect?.()).toMatch(/^the last writes to [1-9]\d* files are lost$/);
    });
  });

describeWith('powerCuts', 'natsServer')('a power cut of NATS', () => {
  if (canNatsSyncEachMessage()) {
    test('loses no acknowledged message', async () => {
      expect(await cutPowerOfNats({ isSynced: true })).toEqual({ left: 1, statements: [] });
    });
  }

  test('loses acknowledged messages unless each is synced, and the service sends them again', async () => {
    const { left, statements } = await cutPowerOfNats({ isSynced: false });
    expect(left).toBe(0);
    expect(statements).toEqual([
      'update pending_observation set sent_at = sent_at - make_interval(secs => 300)',
      expect.stringContaining('update outbox_message set published_at = published_at - make_interval(secs => 300)'),
    ]);
  });
});

describe('a fault that is impossible here', () => {
  test('is skipped with the reason, unless it was not requested', () => {
    const disk = { canBeFull: false, whyNoPowerCuts: 'mount: permission denied' };
    const environment = { disks: { postgres: disk, nats: disk }, nats: { isSynced: true } } as Environment;
    expect(describeLeftOut(environment, new Set(['kill', 'disk-nats', 'power-postgres', 'power-nats']))).toEqual([
      'disk-nats is left out: nothing can be mounted here',
      'power-postgres is left out: mount: permission denied',
      'power-nats is left out: mount: permission denied',
    ]);
    expect(describeLeftOut(environment, new Set(['kill']))).toEqual([]);
  });
});

// Helpers

async function createDisk() {
  const reaper = startReaper();
  onTestFinished(() => reaper.reap());
  const folder = mkdtempSync(join(tmpdir(), 'quittance-fault-'));
  reaper.folder(folder);
  // The Postgres account must be able to traverse it.
  chmodSync(folder, 0o711);
  const disk = await createServerDisk({ folder, megabytes: 512, owner: null, reaper });
  return { disk, reaper, logFile: join(folder, 'server.log') };
}

/**
 * How many copies of one acknowledged message are left, and the statements that Postgres received.
 */
async function cutPowerOfNats({ isSynced }: { readonly isSynced: boolean }) {
  const { disk, ...deps } = await createDisk();
  const nats = await createOwnNats({ ...deps, disk, isSynced });
  const bus = createNatsBus({
    url: `nats://127.0.0.1:${nats.port}`,
    prefix: 'power',
    log: silentLog,
    deadLetter: () => Promise.reject(new Error('nothing may become a dead letter')),
  });
  await bus.publish({ id: 'a', queue: 'kept', partition: 0, data: null });
  await bus.close();
  const statements: string[] = [];
  const postgres = { ask: async (statement: string) => void statements.push(statement) };
  const environment = { disks: { nats: disk }, nats, postgres } as unknown as Environment;
  await (await NATS_POWER_CUT.begin(environment, createRandom(1))).repair();
  return { left: await nats.waiting(), statements };
}

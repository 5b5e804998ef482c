import type { Environment } from '../environment/environment.ts';
import type { OwnPostgres } from '../environment/own-postgres.ts';
import type { Fault, Trouble } from './fault.ts';

/**
 * No free block on Postgres's disk. Statements fail with 53100; when the WAL needs a new segment,
 * Postgres stops, and restarts once there is space. Where nothing can be mounted, a trigger raises
 * the same error.
 */
export const POSTGRES_DISK_FULL: Fault = {
  name: 'disk-postgres',
  lastsMs: [2_000, 5_000],
  async begin({ disks, postgres }): Promise<Trouble> {
    if (!disks.postgres.canBeFull) return pretend(postgres);
    await disks.postgres.fill();
    return {
      what: "Postgres's disk is full",
      async repair() {
        disks.postgres.free();
        await postgres.start();
      },
    };
  },
};

/** JetStream disables itself when it cannot write, until the server is restarted. */
export const NATS_DISK_FULL: Fault = {
  name: 'disk-nats',
  lastsMs: [2_000, 5_000],
  whyLeftOut: ({ disks }) => (disks.nats.canBeFull ? null : 'nothing can be mounted here'),
  async begin({ disks, nats }: Environment): Promise<Trouble> {
    await disks.nats.fill();
    return {
      what: "NATS's disk is full",
      async repair() {
        disks.nats.free();
        await nats.crash();
        await nats.start();
      },
    };
  },
};

// Helpers

const TABLES = ['actor', 'journal_entry', 'outbox_message'];

async function pretend(postgres: OwnPostgres): Promise<Trouble> {
  await postgres.ask(`create or replace function chaos_disk_full() returns trigger language plpgsql as $$
    begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`);
  for (const table of TABLES) {
    await postgres.ask(`create or replace trigger chaos_disk_full before insert or update on ${table}
      execute function chaos_disk_full()`);
  }
  return {
    what: 'Postgres says that its disk is full (a trigger: nothing may be mounted here)',
    async repair() {
      for (const table of TABLES) await postgres.ask(`drop trigger if exists chaos_disk_full on ${table}`);
    },
  };
}

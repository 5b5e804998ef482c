import { countLostWrites, readLastWrites } from '../stage/last-writes.ts';
import type { ServerDisk } from '../stage/server-disk.ts';
import type { Fault, Trouble } from './fault.ts';

/** Postgres is killed and its disk loses what was not synced: what was committed must be there. */
export const POSTGRES_POWER_CUT: Fault = {
  name: 'power-postgres',
  lastsMs: [0, 2_000],
  whyLeftOut: ({ disks }) => disks.postgres.whyNoPowerCuts,
  async begin({ disks, postgres }) {
    // Before the cut: a server that outlives its disk would answer with errors that no power cut makes.
    await postgres.kill();
    return cutPower(disks.postgres, 'Postgres', postgres);
  },
};

/** NATS is killed and its disk loses what was not synced: every message it acknowledged must be there. */
export const NATS_POWER_CUT: Fault = {
  name: 'power-nats',
  lastsMs: [0, 4_000],
  whyLeftOut({ disks, nats }) {
    if (nats.isSynced) return disks.nats.whyNoPowerCuts;
    // Lost messages are sent again after five minutes of the database's clock, which cannot be moved.
    return 'NATS older than 2.10 does not sync each message';
  },
  async begin({ disks, nats }) {
    await nats.crash();
    return cutPower(disks.nats, 'NATS', nats);
  },
};

// Helpers

async function cutPower(
  { power, folder }: ServerDisk,
  name: string,
  server: { readonly start: () => Promise<void> },
): Promise<Trouble> {
  if (power === null) throw new Error(`The disk of ${name} cannot lose its power`);
  const written = await readLastWrites(folder);
  power.cut();
  let lost = 0;
  return {
    what: `the power of ${name} is cut`,
    async mend() {
      await power.restore();
      lost = countLostWrites(written, await readLastWrites(folder));
      await server.start();
    },
    effect: () => `the last writes to ${lost} files are lost`,
  };
}

import { MINUTE_MS } from '../../../machines/index.ts';
import { countLostWrites, readLastWrites } from '../environment/last-writes.ts';
import { ageSentMessages } from '../environment/own-postgres.ts';
import type { ServerDisk } from '../environment/server-disk.ts';
import type { Fault, Trouble } from './fault.ts';

/** Must match `LOST_AFTER_MS` and `REDELIVER_AFTER_MS` in `src/platform/engine`. */
const SENT_AGAIN_AFTER_MS = 5 * MINUTE_MS;

/** Postgres is killed and its disk loses unsynced data: committed data must survive. */
export const POSTGRES_POWER_CUT: Fault = {
  name: 'power-postgres',
  lastsMs: [0, 2_000],
  whyLeftOut: ({ disks }) => disks.postgres.whyNoPowerCuts,
  async begin({ disks, postgres }) {
    // Killed first: a server that outlives its disk returns errors that no power cut causes.
    await postgres.kill();
    return cutPower(disks.postgres, 'Postgres', postgres);
  },
};

/**
 * NATS is killed and its disk loses unsynced data. When NATS syncs each message, no acknowledged
 * message is lost; otherwise the service sends lost ones again from the database.
 */
export const NATS_POWER_CUT: Fault = {
  name: 'power-nats',
  lastsMs: [0, 4_000],
  whyLeftOut: ({ disks }) => disks.nats.whyNoPowerCuts,
  async begin({ disks, nats, postgres }) {
    await nats.crash();
    const trouble = await cutPower(disks.nats, 'NATS', nats);
    return {
      ...trouble,
      async repair() {
        await trouble.repair();
        // Otherwise payments would be stuck for five minutes after every cut.
        if (!nats.isSynced) await ageSentMessages(postgres, SENT_AGAIN_AFTER_MS);
      },
    };
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
    async repair() {
      await power.restore();
      lost = countLostWrites(written, await readLastWrites(folder));
      await server.start();
    },
    effect: () => `the last writes to ${lost} files are lost`,
  };
}

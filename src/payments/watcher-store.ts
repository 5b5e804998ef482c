import { type Kysely, sql } from 'kysely';
import type { Progress, ScannedBlock, TrackedOutput, WatcherStore } from '../chains/index.ts';
import type { Database } from '../db/index.ts';
import { saveWatermark } from '../engine/index.ts';

/** Scanned blocks kept per network. A reorganisation deeper than this is followed with the help of the node. */
const KEPT_BLOCKS = 2_000;

/** The memory of one network's watcher, in tables. `onProgress` is told after a commit moved the watermark. */
export function createWatcherStore({
  db,
  network,
  onProgress,
}: {
  db: Kysely<Database>;
  network: string;
  onProgress: () => void;
}): WatcherStore {
  return {
    async nextEpoch() {
      const { rows } = await sql<{ epoch: number }>`
        insert into chain_cursor (network, epoch) values (${network}, 1)
        on conflict (network) do update set epoch = chain_cursor.epoch + 1 returning epoch`.execute(db);
      const epoch = rows[0]?.epoch;
      if (epoch === undefined) throw new Error('the database gave no watcher epoch');
      return epoch;
    },

    async loadCursor() {
      const row = await db
        .selectFrom('chain_cursor')
        .select(['height', 'block_hash'])
        .where('network', '=', network)
        .executeTakeFirst();
      if (row === undefined || row.height === null || row.block_hash === null) return null;
      return { height: row.height, blockHash: row.block_hash };
    },

    async loadRecentBlocks(limit) {
      const rows = await db
        .selectFrom('chain_block')
        .select(['height', 'block_hash', 'outputs'])
        .where('network', '=', network)
        .orderBy('height', 'desc')
        .limit(limit)
        .execute();
      return rows.map((row) => ({
        height: row.height,
        blockHash: row.block_hash,
        outputs: (row.outputs as StoredOutput[]).map(toTracked),
      }));
    },

    async loadUnsettled() {
      const row = await db
        .selectFrom('chain_cursor')
        .select('unsettled')
        .where('network', '=', network)
        .executeTakeFirst();
      return ((row?.unsettled ?? []) as StoredOutput[]).map(toTracked);
    },

    async saveUnsettled(outputs) {
      await db
        .updateTable('chain_cursor')
        .set({ unsettled: JSON.stringify(outputs.map(toStored)) })
        .where('network', '=', network)
        .execute();
    },

    async saveProgress(progress) {
      await db.transaction().execute(async (trx) => {
        await trx
          .deleteFrom('chain_block')
          .where('network', '=', network)
          .where((eb) =>
            eb.or([eb('height', '>', progress.forkHeight), eb('height', '<=', progress.cursor.height - KEPT_BLOCKS)]),
          )
          .execute();
        if (progress.blocks.length > 0) {
          await trx
            .insertInto('chain_block')
            .values(progress.blocks.map((block) => blockRow(network, block)))
            .execute();
        }
        await trx.updateTable('chain_cursor').set(cursorColumns(progress)).where('network', '=', network).execute();
        await saveWatermark(trx, { gate: network, reachedAt: progress.lookedUntil, height: progress.cursor.height });
      });
      onProgress();
    },
  };
}

// Helpers

/** JSON has no bigint. */
type StoredOutput = Omit<TrackedOutput, 'amountBaseUnits'> & { readonly amountBaseUnits: string };

function toStored(output: TrackedOutput): StoredOutput {
  return { ...output, amountBaseUnits: output.amountBaseUnits.toString() };
}

function toTracked(output: StoredOutput): TrackedOutput {
  return { ...output, amountBaseUnits: BigInt(output.amountBaseUnits) };
}

function blockRow(network: string, block: ScannedBlock) {
  const outputs = JSON.stringify(block.outputs.map(toStored));
  return { network, height: block.height, block_hash: block.blockHash, outputs };
}

function cursorColumns({ cursor, tipHeight, lookedUntil, unsettled }: Progress) {
  return {
    height: cursor.height,
    block_hash: cursor.blockHash,
    tip_height: tipHeight,
    ...(lookedUntil === null ? {} : { looked_until: new Date(lookedUntil) }),
    ...(unsettled === null ? {} : { unsettled: JSON.stringify(unsettled.map(toStored)) }),
  };
}

import { type Kysely, sql } from 'kysely';
import type {
  AccountChange,
  Progress,
  RecordedOutput,
  ScannedBlock,
  TrackedOutput,
  WatcherStore,
} from '../../chains/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { saveWatermark } from '../../platform/engine/index.ts';
import { saveBalances } from './balances.ts';
import { type FencingToken, requireFencingToken, updateFencedCursor } from './fencing.ts';
import {
  reorgedColumn,
  type StoredOutput,
  type StoredReorged,
  toReorged,
  toStored,
  toTracked,
} from './stored-outputs.ts';

/** Scanned blocks kept per network. Deeper reorganisations are followed with the node's help. */
const KEPT_BLOCKS = 2_000;

/**
 * Persistent state of one network's watcher. Calls `onProgress` after a commit that moved the
 * watermark.
 *
 * Writes only until another process acquires a later epoch. Then both writing calls throw a
 * `RetryableError` `WATCHER_FENCED` and change nothing, including the watermark: a replaced watcher
 * cannot move the time by which windows close. The check is the transaction's first write, so a
 * successor's `nextEpoch` waits for this commit, or this one for the successor's.
 */
export function createWatcherStore({
  db,
  network,
  onProgress,
}: {
  db: Kysely<Database>;
  network: string;
  onProgress: () => void;
}): WatcherStore {
  let epoch: number | null = null;
  /** Highest block saved by this process; null before the first save and after a failure. */
  let savedHeight: number | null = null;

  function heldToken(): FencingToken {
    if (epoch === null) throw new Error('the watcher writes before it has acquired an epoch');
    return { network, epoch };
  }

  /**
   * Moves the cursor and returns the era of the balances valid at it; a new era if they were not
   * tracked up to there.
   */
  async function moveCursor(trx: Kysely<Database>, progress: Progress): Promise<number> {
    const { forkHeight, cursor } = progress;
    return updateFencedCursor(trx, heldToken(), {
      ...cursorColumns(progress),
      balances_height: cursor.height,
      balance_era: sql<number>`balance_era + case
        when balances_height is distinct from height then 1
        when ${forkHeight}::int8 + 1 < (select min(height) from chain_block where network = ${network}) then 1
        else 0
      end`,
    });
  }

  /** Deletes blocks above the fork and beyond `KEPT_BLOCKS`; returns those above the fork. */
  async function forgetBlocks(trx: Kysely<Database>, { forkHeight, cursor }: Progress): Promise<Forgotten[]> {
    const rows = await trx
      .deleteFrom('chain_block')
      .where('network', '=', network)
      .where((eb) => eb.or([eb('height', '>', forkHeight), eb('height', '<=', cursor.height - KEPT_BLOCKS)]))
      .returning(['height', 'flows'])
      .execute();
    return rows.filter(({ height }) => height > forkHeight).map(({ flows }) => ({ flows: toFlows(flows) }));
  }

  async function writeUnsettled(trx: Kysely<Database>, outputs: readonly TrackedOutput[]): Promise<void> {
    if (outputs.length === 0) return;
    await sql`
      insert into unsettled_output (network, output_id, output)
      select ${network}, output ->> 'outputId', output
      from jsonb_array_elements(${JSON.stringify(outputs.map(toStored))}::jsonb) as output
      on conflict (network, output_id) do update set output = excluded.output`.execute(trx);
  }

  async function changeUnsettled(trx: Kysely<Database>, { unsettled }: Progress): Promise<void> {
    if (unsettled === undefined) return;
    await writeUnsettled(trx, unsettled.saved);
    if (unsettled.settledIds.length === 0) return;
    await sql`
      delete from unsettled_output
      where network = ${network} and output_id = any(${[...unsettled.settledIds]})`.execute(trx);
  }

  return {
    async nextEpoch() {
      const { rows } = await sql<{ epoch: number }>`
        insert into chain_cursor (network, epoch) values (${network}, 1)
        on conflict (network) do update set epoch = chain_cursor.epoch + 1 returning epoch`.execute(db);
      const taken = rows[0]?.epoch;
      if (taken === undefined) throw new Error('the database returned no watcher epoch');
      epoch = taken;
      return taken;
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
        .select(['height', 'block_hash', 'outputs', 'flows'])
        .where('network', '=', network)
        .orderBy('height', 'desc')
        .limit(limit)
        .execute();
      return rows.map((row) => ({
        height: row.height,
        blockHash: row.block_hash,
        outputs: (row.outputs as StoredOutput[]).map(toTracked),
        ...(row.flows === null ? {} : { flows: toFlows(row.flows) }),
      }));
    },

    async findRecorded(outputIds, belowHeight) {
      const { rows } = await sql<RecordedOutput>`
        select output ->> 'outputId' as "outputId", height, block_hash as "blockHash"
        from chain_block, jsonb_array_elements(outputs) as output
        where network = ${network} and height < ${belowHeight} and output ->> 'outputId' = any(${[...outputIds]})`.execute(
        db,
      );
      return rows;
    },

    async loadUnsettled() {
      const rows = await db
        .selectFrom('unsettled_output')
        .select('output')
        .where('network', '=', network)
        .orderBy('output_id')
        .execute();
      return rows.map(({ output }) => toTracked(output as StoredOutput));
    },

    async loadReorged() {
      const row = await db
        .selectFrom('chain_cursor')
        .select('reorged')
        .where('network', '=', network)
        .executeTakeFirst();
      return ((row?.reorged ?? []) as StoredReorged[]).map(toReorged);
    },

    saveUnsettled: (outputs, reorged) =>
      db.transaction().execute(async (trx) => {
        if (reorged === undefined) await requireFencingToken(trx, heldToken());
        else await updateFencedCursor(trx, heldToken(), reorgedColumn(reorged));
        await writeUnsettled(trx, outputs);
      }),

    async saveProgress(progress) {
      const { forkHeight, cursor } = progress;
      // True for nearly every poll on a slow chain: there is nothing to delete.
      const isUnmoved = forkHeight === savedHeight && cursor.height === savedHeight;
      savedHeight = null;
      await db.transaction().execute(async (trx) => {
        const era = await moveCursor(trx, progress);
        const forgotten = isUnmoved ? [] : await forgetBlocks(trx, progress);
        if (progress.blocks.length > 0) {
          await trx
            .insertInto('chain_block')
            .values(progress.blocks.map((block) => blockRow(network, block)))
            .execute();
        }
        await changeUnsettled(trx, progress);
        await saveBalances(trx, { ...progress, network, era, forgotten });
        await saveWatermark(trx, { gate: network, reachedAt: progress.syncedUntil, height: cursor.height });
      });
      savedHeight = cursor.height;
      onProgress();
    },
  };
}

// Helpers

type Forgotten = Pick<ScannedBlock, 'flows'>;
/** Watch key, asset and base units. */
type StoredFlow = readonly [string, AccountChange['asset'], string];

function toFlows(flows: unknown): AccountChange[] {
  return ((flows ?? []) as StoredFlow[]).map(([watchKey, asset, amount]) => {
    return { watchKey, asset, baseUnits: BigInt(amount) };
  });
}

function blockRow(network: string, block: ScannedBlock) {
  const outputs = JSON.stringify(block.outputs.map(toStored));
  const stored = block.flows?.map(
    ({ watchKey, asset, baseUnits }): StoredFlow => [watchKey, asset, baseUnits.toString()],
  );
  const flows = stored === undefined ? null : JSON.stringify(stored);
  return { network, height: block.height, block_hash: block.blockHash, outputs, flows };
}

/** Saved progress also counts as a report: a long poll reports only at its end. */
function cursorColumns({ cursor, tipHeight, syncedUntil, reorged }: Progress) {
  return {
    height: cursor.height,
    block_hash: cursor.blockHash,
    tip_height: tipHeight,
    reported_at: sql<Date>`clock_timestamp()`,
    last_error: null,
    last_error_at: null,
    ...(syncedUntil === null ? {} : { synced_until: new Date(syncedUntil) }),
    ...reorgedColumn(reorged),
  };
}

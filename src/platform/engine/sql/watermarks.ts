import { type Kysely, sql } from 'kysely';
import type { UnixMs } from '../../../../machines/index.ts';
import type { Database } from '../../db/index.ts';

export interface Watermark {
  readonly gate: string;
  /**
   * Everything dated before this time was observed; null keeps the previous value. Never moves
   * back.
   */
  readonly reachedAt: UnixMs | null;
  /** Chain height; may decrease in a reorganisation. Null keeps the previous value. */
  readonly height: number | null;
}

/** Moves a watermark. Timers gated by it may become due once this commits. */
export async function saveWatermark(db: Kysely<Database>, { gate, reachedAt, height }: Watermark): Promise<void> {
  await sql`
    insert into watermark (gate, reached_at, height)
    values (${gate}, ${reachedAt === null ? null : new Date(reachedAt)}, ${height})
    on conflict (gate) do update set
      reached_at = greatest(watermark.reached_at, excluded.reached_at),
      height = coalesce(excluded.height, watermark.height)`.execute(db);
}

/** Deletes gates that no timer waits for. */
export async function deleteWatermarks(db: Kysely<Database>, gates: readonly string[]): Promise<void> {
  await sql`delete from watermark where gate = any(${gates}::text[])`.execute(db);
}

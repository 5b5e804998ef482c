import { type Kysely, sql } from 'kysely';
import type { UnixMs } from '../../../machines/index.ts';
import type { Database } from '../../db/index.ts';

export interface Watermark {
  readonly gate: string;
  /** Everything dated before this moment has been looked at; null leaves the former one. Never moves back. */
  readonly reachedAt: UnixMs | null;
  /** Height of the chain; may move back in a reorganisation. Null leaves the former one. */
  readonly height: number | null;
}

/** Moves a watermark. Timers gated by it may become due; whoever waits sees it after the commit. */
export async function saveWatermark(db: Kysely<Database>, { gate, reachedAt, height }: Watermark): Promise<void> {
  await sql`
    insert into watermark (gate, reached_at, height)
    values (${gate}, ${reachedAt === null ? null : new Date(reachedAt)}, ${height})
    on conflict (gate) do update set
      reached_at = greatest(watermark.reached_at, excluded.reached_at),
      height = coalesce(excluded.height, watermark.height)`.execute(db);
}

/** Forgets gates that no timer will wait for any more. */
export async function deleteWatermarks(db: Kysely<Database>, gates: readonly string[]): Promise<void> {
  await sql`delete from watermark where gate = any(${gates}::text[])`.execute(db);
}

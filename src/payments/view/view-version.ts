import { type Kysely, type Selectable, sql } from 'kysely';
import type { TransactionException, TransactionStatus, UnixMs } from '../../../machines/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { currentStateOf } from '../../platform/engine/index.ts';
import { isSimulated } from '../../wallets/index.ts';
import { SHOWN_LOSS, type ShownLoss } from '../projection/loss.ts';
import { heightGate, timeGate } from '../watching/gate-names.ts';
import { SURPLUS, type Surplus } from './surplus.ts';

/** The fields by which a change is detected. */
export interface ViewVersion {
  readonly id: string;
  readonly status: TransactionStatus;
  readonly exception: TransactionException | null;
  /** Its coins are gone before they were confirmed, or no longer pay it although it is complete. */
  readonly loss: ShownLoss | null;
  /** Null when there is none. */
  readonly surplus: Surplus | null;
  /** Increases with every event of the transaction. */
  readonly sequence: number;
  readonly expiresAt: UnixMs;
  /** Added to the wall clock for this transaction only; 0 unless simulated. */
  readonly clockOffsetMs: number;
  readonly isSimulated: boolean;
  /** The network was scanned up to this time; null when simulated, or never scanned. */
  readonly syncedUntil: UnixMs | null;
  /** Height of the chain; null when unknown. */
  readonly tipHeight: number | null;
}

/** The versions of the transactions that exist among `ids`, unordered: two queries in total. */
export async function listViewVersions(db: Kysely<Database>, ids: readonly string[]): Promise<ViewVersion[]> {
  const { rows } = await sql<VersionRow>`
      select ${VERSION_COLUMNS} from transaction_status as transaction cross join lateral ${CURRENT_STATE} as actor
      where transaction.id = any(${ids}::text[])`.execute(db);
  const marks = await readWatermarks(db, rows);
  return rows.map((row) => toVersion(row, marks));
}

/**
 * SQL: whether the shop has rejected a `transaction`, which ends its review. A review that the
 * chain ends names no user.
 */
export const IS_REJECTED = sql<boolean>`case when transaction.status = 'failed' then exists (
    select from attention_item as item
    where item.transaction_id = transaction.id and item.kind = 'needs_review' and item.settled_by is not null
  ) else false end`;

/** SQL: whether the shop has dismissed late coins of an expired `transaction`. */
export const IS_DISMISSED = sql<boolean>`case when transaction.status = 'expired' then exists (
    select from attention_item as item
    where item.transaction_id = transaction.id and item.kind = 'paid_late' and item.settled_by is not null
  ) else false end`;

/** A payment stays visible forever, even after its actor was archived. */
export const CURRENT_STATE = currentStateOf(sql`transaction.id`);

/** The columns of `VersionRow`, for a query with `CURRENT_STATE` as `actor`. */
export const VERSION_COLUMNS = sql`transaction.id, transaction.status, exception, ${SHOWN_LOSS} as loss,
  ${SURPLUS} as surplus, network, expires_at, sequence, clock_offset_ms`;

export interface VersionRow
  extends Pick<Selectable<Database['transaction']>, 'id' | 'status' | 'exception' | 'network' | 'expires_at'> {
  readonly loss: ShownLoss | null;
  readonly surplus: Surplus | null;
  readonly sequence: number;
  readonly clock_offset_ms: number;
}

export type Watermarks = ReadonlyMap<string, Mark>;

/** The watermarks of the transactions' networks, by gate. */
export async function readWatermarks(db: Kysely<Database>, rows: readonly VersionRow[]): Promise<Watermarks> {
  const gates = new Set(rows.map((row) => heightGate(row.network, row.id)));
  const { rows: marks } = await sql<Mark & { gate: string }>`
    select gate, reached_at, height from watermark where gate = any(${[...gates]}::text[])`.execute(db);
  return new Map(marks.map((mark) => [mark.gate, mark]));
}

export function toVersion(row: VersionRow, marks: Watermarks): ViewVersion {
  const time = timeGate(row.network);
  return {
    id: row.id,
    status: row.status,
    exception: row.exception,
    loss: row.loss,
    surplus: row.surplus,
    sequence: row.sequence,
    expiresAt: row.expires_at,
    clockOffsetMs: row.clock_offset_ms,
    isSimulated: isSimulated(row.network),
    syncedUntil: time === null ? null : (marks.get(time)?.reached_at ?? null),
    tipHeight: marks.get(heightGate(row.network, row.id))?.height ?? null,
  };
}

// Helpers

interface Mark {
  readonly reached_at: number | null;
  readonly height: number | null;
}

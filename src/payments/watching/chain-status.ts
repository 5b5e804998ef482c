import { type Kysely, sql } from 'kysely';
import { MINUTE_MS, type UnixMs } from '../../../machines/index.ts';
import type { TransferFees } from '../../chains/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/index.ts';

/**
 * - watching       fully polled within the last `BLIND_AFTER_MS`
 * - catching_up    otherwise, if its watcher reports no error and reported in `SILENT_AFTER_MS`
 * - blind          otherwise: its watcher fails or is silent
 * - never_started  no watcher has ever completed a poll
 */
export const CHAIN_STATES = ['watching', 'catching_up', 'blind', 'never_started'] as const;
export type ChainState = (typeof CHAIN_STATES)[number];

/** Without a complete poll for this long, coins could be on the network undetected. */
export const BLIND_AFTER_MS = 5 * MINUTE_MS;
/**
 * A watcher that has reported nothing for this long is not working, regardless of its last report.
 */
export const SILENT_AFTER_MS = MINUTE_MS;

/** Fees read longer ago than this are out of date. */
const FEES_MAX_AGE = sql`interval '15 minutes'`;

/** The watching status of one network, as all processes see it. */
export interface ChainStatus {
  readonly network: string;
  readonly state: ChainState;
  readonly cursorHeight: number | null;
  readonly tipHeight: number | null;
  /** Blocks that the node has reported and the watcher has not scanned. */
  readonly blocksBehind: number | null;
  /** Everything on the network up to this time was seen. */
  readonly syncedUntil: UnixMs | null;
  readonly syncedAgeMs: number | null;
  /** The process that holds the lease; null when it has expired. */
  readonly holder: string | null;
  /** By the database's clock. */
  readonly leasedUntil: UnixMs | null;
  /** Why the newest poll failed, without secrets; null when it succeeded. */
  readonly lastError: string | null;
  readonly lastErrorAt: UnixMs | null;
  /** Problems that an operator should fix although polling works. */
  readonly warnings: readonly string[];
  /** Coins and tokens that cannot be paid on this network, because payments would not be seen. */
  readonly unwatchedAssets: readonly string[];
  /** What a usual transfer costs now; null when unknown or out of date. */
  readonly fees: TransferFees | null;
  /** Last report of a watcher, by the database's clock. */
  readonly reportedAt: UnixMs | null;
}

/**
 * The status of every network ever watched and of those `expected`, sorted by name, in one query.
 * Rejects with `RetryableError` without a database.
 */
export async function readChainStatus(
  db: Kysely<Database>,
  clock: Clock,
  expected: readonly string[] = [],
): Promise<ChainStatus[]> {
  const { rows } = await selectStatus.execute(db);
  const now = clock.now();
  const known = new Set(rows.map((row) => row.network));
  const unknown = expected.filter((network) => !known.has(network)).map((network) => ({ ...NOTHING, network }));
  return [...rows, ...unknown]
    .map((row) => toStatus(row, now))
    .sort((one, other) => (one.network < other.network ? -1 : 1));
}

// Helpers

interface StatusRow {
  readonly network: string;
  readonly height: number | null;
  readonly tip_height: number | null;
  readonly synced_until: number | null;
  readonly holder: string | null;
  readonly expires_at: number | null;
  readonly last_error: string | null;
  readonly last_error_at: number | null;
  readonly warnings: readonly string[] | null;
  readonly unwatched_assets: readonly string[] | null;
  readonly coin_fee: bigint | null;
  readonly token_fee: bigint | null;
  readonly reported_at: number | null;
  readonly silent_ms: number | null;
}

const NOTHING: Omit<StatusRow, 'network'> = {
  height: null,
  tip_height: null,
  synced_until: null,
  holder: null,
  expires_at: null,
  last_error: null,
  last_error_at: null,
  warnings: null,
  unwatched_assets: null,
  coin_fee: null,
  token_fee: null,
  reported_at: null,
  silent_ms: null,
};

/** The database dates leases and reports, so that their age is measured with the same clock. */
const selectStatus = sql<StatusRow>`
  select network, height, tip_height, synced_until, holder, expires_at, last_error, last_error_at, warnings,
    unwatched_assets, reported_at, token_fee,
    case when fees_at > clock_timestamp() - ${FEES_MAX_AGE} then coin_fee end as coin_fee,
    (extract(epoch from clock_timestamp() - reported_at) * 1000)::float8 as silent_ms
  from chain_cursor full join (select * from chain_lease where expires_at > clock_timestamp()) as lease using (network)`;

function toStatus(row: StatusRow, now: UnixMs): ChainStatus {
  const { height, tip_height: tipHeight, synced_until: syncedUntil } = row;
  return {
    network: row.network,
    state: stateOf(row, now),
    cursorHeight: height,
    tipHeight,
    blocksBehind: height === null || tipHeight === null ? null : Math.max(0, tipHeight - height),
    syncedUntil,
    syncedAgeMs: syncedUntil === null ? null : Math.max(0, now - syncedUntil),
    holder: row.holder,
    leasedUntil: row.expires_at,
    lastError: row.last_error,
    lastErrorAt: row.last_error_at,
    warnings: row.warnings ?? [],
    unwatchedAssets: row.unwatched_assets ?? [],
    fees: row.coin_fee === null ? null : { coin: row.coin_fee, token: row.token_fee },
    reportedAt: row.reported_at,
  };
}

function stateOf({ height, synced_until, last_error, silent_ms }: StatusRow, now: UnixMs): ChainState {
  if (height === null) return 'never_started';
  if (synced_until !== null && now - synced_until <= BLIND_AFTER_MS) return 'watching';
  const works = last_error === null && silent_ms !== null && silent_ms <= SILENT_AFTER_MS;
  return works ? 'catching_up' : 'blind';
}

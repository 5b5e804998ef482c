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

type StatusRow = Omit<ChainStatus, Computed> & {
  readonly warnings: readonly string[] | null;
  readonly unwatchedAssets: readonly string[] | null;
  readonly coinFee: bigint | null;
  readonly tokenFee: bigint | null;
  readonly silentMs: number | null;
};
type Computed = 'state' | 'blocksBehind' | 'syncedAgeMs' | 'warnings' | 'unwatchedAssets' | 'fees';

const NOTHING: Omit<StatusRow, 'network'> = {
  cursorHeight: null,
  tipHeight: null,
  syncedUntil: null,
  holder: null,
  leasedUntil: null,
  lastError: null,
  lastErrorAt: null,
  warnings: null,
  unwatchedAssets: null,
  coinFee: null,
  tokenFee: null,
  reportedAt: null,
  silentMs: null,
};

/** The database dates leases and reports, so that their age is measured with the same clock. */
const selectStatus = sql<StatusRow>`
  select network, height as "cursorHeight", tip_height as "tipHeight", synced_until as "syncedUntil", holder,
    expires_at as "leasedUntil", last_error as "lastError", last_error_at as "lastErrorAt", warnings,
    unwatched_assets as "unwatchedAssets", reported_at as "reportedAt", token_fee as "tokenFee",
    case when fees_at > clock_timestamp() - ${FEES_MAX_AGE} then coin_fee end as "coinFee",
    (extract(epoch from clock_timestamp() - reported_at) * 1000)::float8 as "silentMs"
  from chain_cursor full join (select * from chain_lease where expires_at > clock_timestamp()) as lease using (network)`;

function toStatus(row: StatusRow, now: UnixMs): ChainStatus {
  const { coinFee, tokenFee, silentMs: _, ...status } = row;
  const { cursorHeight, tipHeight, syncedUntil } = status;
  return {
    ...status,
    state: stateOf(row, now),
    blocksBehind: cursorHeight === null || tipHeight === null ? null : Math.max(0, tipHeight - cursorHeight),
    syncedAgeMs: syncedUntil === null ? null : Math.max(0, now - syncedUntil),
    warnings: row.warnings ?? [],
    unwatchedAssets: row.unwatchedAssets ?? [],
    fees: coinFee === null ? null : { coin: coinFee, token: tokenFee },
  };
}

function stateOf({ cursorHeight, syncedUntil, lastError, silentMs }: StatusRow, now: UnixMs): ChainState {
  if (cursorHeight === null) return 'never_started';
  if (syncedUntil !== null && now - syncedUntil <= BLIND_AFTER_MS) return 'watching';
  const works = lastError === null && silentMs !== null && silentMs <= SILENT_AFTER_MS;
  return works ? 'catching_up' : 'blind';
}

import { type Kysely, sql } from 'kysely';
import type { Mode, UnixMs } from '../../../machines/index.ts';
import { readPlanUsage } from '../../billing/index.ts';
import { type PlanTier } from '../../merchants/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { invalidCursor, TerminalError } from '../../platform/errors.ts';
import type { OperationsDeps } from '../actors/population.ts';

export interface ListedMerchant {
  readonly id: string;
  readonly name: string;
  readonly createdAt: UnixMs;
  readonly plan: {
    readonly tier: PlanTier;
    /** Null: no end. */
    readonly expiresAt: UnixMs | null;
  };
  /** Time of sign-up while approval is pending; null once approved. */
  readonly approvalPendingSince: UnixMs | null;
  /**
   * Completed payments in this calendar month (UTC), without simulated ones, and the plan's limit;
   * null without a limit.
   */
  readonly usage: { readonly used: number; readonly limit: number | null };
  /** Open items of live payments in the merchant's list of what needs attention. */
  readonly needsAttention: number;
  /** The same of test payments. */
  readonly testNeedsAttention: number;
  /** Number of assets that can be paid in: one per coin and network. */
  readonly wallets: number;
  /** `testFailing`: failing ones that receive only test events; `failing` counts the others. */
  readonly endpoints: { readonly total: number; readonly failing: number; readonly testFailing: number };
}

export interface MerchantPage {
  readonly merchants: readonly ListedMerchant[];
  readonly cursor: string | null;
}

export interface MerchantListRequest {
  /** Substring of name or email, or prefix of the id; null for all. */
  readonly search: string | null;
  /** Only merchants with an endpoint of this mode that fails now: see `modeOfEndpoint`. */
  readonly failingMode?: Mode;
  /** As the previous page returned it; null for the first page. */
  readonly cursor: string | null;
  readonly limit: number;
}

/**
 * SQL condition for rows of `webhook_endpoint`: its attempts fail and continue. A disabled one
 * receives none, and its owners were notified.
 */
export const failsNow = sql<boolean>`(failing_since is not null and enabled and deleted_at is null)`;

/** SQL for the mode of an endpoint's failures: `test` if it receives only test events. */
export const modeOfEndpoint = sql<Mode>`(case when modes @> '["live"]' then 'live' else 'test' end)`;

export const MAX_MERCHANTS_PER_PAGE = 100;

/** Merchants, newest first. Throws `INVALID_CURSOR`. */
export async function listMerchants(
  { db, clock }: Pick<OperationsDeps, 'db' | 'clock'>,
  { search, failingMode, cursor, limit }: MerchantListRequest,
): Promise<MerchantPage> {
  const pageSize = Math.min(limit, MAX_MERCHANTS_PER_PAGE);
  const isFound =
    search === null
      ? sql`true`
      : sql`(position(lower(${search}) in lower(name)) > 0 or position(lower(${search}) in lower(email)) > 0
          or starts_with(id, ${search}))`;
  const isListed =
    failingMode === undefined
      ? sql`true`
      : sql`exists (select from webhook_endpoint where webhook_endpoint.merchant_id = merchant.id and ${failsNow}
          and ${modeOfEndpoint} = ${failingMode})`;
  const isAfter =
    cursor === null
      ? sql`true`
      : sql`(created_at, id) < (select created_at, id from merchant where id = ${readCursor(cursor)})`;
  const { rows } = await sql<{ id: string }>`
    select id from merchant where ${isFound} and ${isListed} and ${isAfter}
    order by created_at desc, id desc limit ${pageSize + 1}`.execute(db);
  const ids = rows.slice(0, pageSize).map(({ id }) => id);
  const merchants = await describeMerchants(db, ids, clock.now());
  return { merchants, cursor: rows.length > pageSize ? (ids.at(-1) ?? null) : null };
}

/** List entries of these merchants, in the order of `ids`; unknown ids are left out. */
export async function describeMerchants(
  db: Kysely<Database>,
  ids: readonly string[],
  now: UnixMs,
): Promise<ListedMerchant[]> {
  const [counted, usages] = await Promise.all([readCounts(db, ids), readPlanUsage(db, ids, now)]);
  const rows = new Map(counted.map((row) => [row.id, row]));
  return ids.flatMap((id) => {
    const [row, usage] = [rows.get(id), usages.get(id)];
    if (row === undefined || usage === undefined) return [];
    const { endpoints, failing, testFailing, ...merchant } = row;
    const { plan, expiresAt, used } = usage;
    return {
      ...merchant,
      plan: { tier: plan.tier, expiresAt },
      usage: { used, limit: plan.monthlyTransactionLimit },
      endpoints: { total: endpoints, failing, testFailing },
    };
  });
}

export function merchantNotFound(merchantId: string): TerminalError {
  return new TerminalError('MERCHANT_NOT_FOUND', `Merchant ${merchantId} not found; ids begin with mer_`);
}

// Helpers

interface Counts extends Omit<ListedMerchant, 'plan' | 'usage' | 'endpoints'> {
  readonly endpoints: number;
  readonly failing: number;
  readonly testFailing: number;
}

const hasFailed = sql<boolean>`(failing_since is not null or disabled_because in ('failing', 'gone'))`;

/** Each number is a short index range; payments are not counted, because there may be very many. */
async function readCounts(db: Kysely<Database>, ids: readonly string[]): Promise<readonly Counts[]> {
  const { rows } = await sql<Counts>`
    select merchant.id, merchant.name, merchant.created_at as "createdAt",
      merchant.approval_pending_since as "approvalPendingSince", attention.live as "needsAttention",
      attention.test as "testNeedsAttention", coins.wallets, hooks.endpoints, hooks.failing, hooks."testFailing"
    from merchant
    cross join lateral (
      select count(*) filter (where mode = 'live') as live, count(*) filter (where mode = 'test') as test
      from attention_item where attention_item.merchant_id = merchant.id and settled_at is null
    ) as attention
    cross join lateral (
      select count(*) as wallets from wallet where wallet.merchant_id = merchant.id
    ) as coins
    cross join lateral (
      select count(*) as endpoints,
        count(*) filter (where ${hasFailed} and ${modeOfEndpoint} = 'live') as failing,
        count(*) filter (where ${hasFailed} and ${modeOfEndpoint} = 'test') as "testFailing"
      from webhook_endpoint where webhook_endpoint.merchant_id = merchant.id and deleted_at is null
    ) as hooks
    where merchant.id = any(${[...ids]}::text[])`.execute(db);
  return rows;
}

function readCursor(cursor: string): string {
  if (/^mer_[\w-]{1,60}$/.test(cursor)) return cursor;
  throw invalidCursor();
}

import { sql, type Transaction } from 'kysely';
import type { Database } from '../../platform/db/index.ts';
import { TerminalError } from '../../platform/errors.ts';
import type { EndpointTerms } from './endpoint.ts';

/** Endpoints per merchant on any plan: every event is sent to each of them. */
const MAX_ENDPOINTS = 200;

/** How many endpoints a merchant has and may have. */
export interface EndpointUsage {
  /** Endpoints that are not deleted, including disabled ones. */
  readonly count: number;
  readonly plan: string;
  /** Endpoints the plan allows; null for no limit. */
  readonly limit: number | null;
  readonly idsByUrl: ReadonlyMap<string, string>;
}

/**
 * Counts a merchant's endpoints under a lock on the merchant row. Every change that adds an
 * endpoint or changes a URL acquires this lock, so the counts hold until the transaction ends.
 * Reads the current plan.
 */
export async function lockAndCountEndpoints(
  trx: Transaction<Database>,
  { merchantId, plansEnabled }: { merchantId: string } & Pick<EndpointTerms, 'plansEnabled'>,
): Promise<EndpointUsage> {
  // A separate statement: one that waits for the lock would use a snapshot from before it.
  await sql`select 1 from merchant where id = ${merchantId} for no key update`.execute(trx);
  const merchant = await trx
    .selectFrom('merchant')
    .leftJoin('plan', 'plan.tier', 'merchant.plan')
    .select(['merchant.plan', 'plan.tier', 'plan.webhook_limit'])
    .where('merchant.id', '=', merchantId)
    .executeTakeFirstOrThrow();
  if (plansEnabled && merchant.tier === null) throw new Error(`the table "plan" has no row for ${merchant.plan}`);
  const rows = await trx
    .selectFrom('webhook_endpoint')
    .select(['id', 'url'])
    .where('merchant_id', '=', merchantId)
    .where('deleted_at', 'is', null)
    .execute();
  return {
    count: rows.length,
    plan: merchant.plan,
    limit: plansEnabled ? merchant.webhook_limit : null,
    idsByUrl: new Map(rows.map(({ id, url }) => [url, id])),
  };
}

/**
 * Throws a `TerminalError` when one more endpoint would exceed a limit: `PLAN_UPGRADE_REQUIRED`,
 * `INVALID_STATE`.
 */
export function requireEndpointsLeft({ count, plan, limit }: EndpointUsage): void {
  if (limit !== null && count >= limit) {
    const allowed = limit === 0 ? 'no webhook endpoints' : `${limit} webhook endpoint${limit === 1 ? '' : 's'}`;
    const remedy = limit === 0 ? 'upgrade it' : 'delete an unused one, or upgrade it';
    throw new TerminalError(
      'PLAN_UPGRADE_REQUIRED',
      `The plan ${plan} allows ${allowed}, and there are ${count}; ${remedy} with POST /billing/checkout.`,
    );
  }
  if (count < MAX_ENDPOINTS) return;
  throw new TerminalError(
    'INVALID_STATE',
    `The limit of ${MAX_ENDPOINTS} webhook endpoints is reached; delete some first.`,
  );
}

/** Throws a `TerminalError` `WEBHOOK_ENDPOINT_EXISTS` when another endpoint has the URL. */
export function requireFreeUrl({ idsByUrl }: EndpointUsage, url: string, endpointId: string | null = null): void {
  const existing = idsByUrl.get(url);
  if (existing === undefined || existing === endpointId) return;
  throw new TerminalError(
    'WEBHOOK_ENDPOINT_EXISTS',
    `The endpoint ${existing} already has this URL; change that one instead.`,
  );
}

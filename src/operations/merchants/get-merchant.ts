import { sql } from 'kysely';
import type { Mode, UnixMs } from '../../../machines/index.ts';
import { type ListedUser, listUsers } from '../../accounts/index.ts';
import { type KeySummary, listKeys } from '../../merchants/index.ts';
import { unusedRuns } from '../../wallets/index.ts';
import { type EndpointHealth, listEndpoints, readEndpointHealth } from '../../webhooks/index.ts';
import type { OperationsDeps } from '../actors/population.ts';
import { describeMerchants, type ListedMerchant, merchantNotFound } from './list-merchants.ts';

/** Merchant details that operators need for support. No keys, secrets or customer addresses. */
export interface MerchantDetail extends ListedMerchant {
  readonly email: string;
  readonly cycle: 'monthly' | 'yearly' | null;
  readonly users: readonly ListedUser[];
  readonly keys: readonly Pick<KeySummary, 'id' | 'name' | 'kind' | 'mode' | 'hint' | 'lastUsedAt' | 'endsAt'>[];
  readonly walletRuns: readonly {
    readonly network: string;
    readonly cryptos: readonly string[];
    readonly allocated: number;
    /** See `UnusedRun.run`. */
    readonly unusedRun: number;
    readonly warning: string | null;
  }[];
  readonly endpointStates: readonly {
    readonly id: string;
    /** Given by the merchant; may be empty. */
    readonly name: string;
    /** Host only, because the path may contain a secret of the merchant. */
    readonly host: string;
    /** The modes whose events it receives. */
    readonly modes: readonly Mode[];
    readonly isEnabled: boolean;
    readonly failingSince: UnixMs | null;
    readonly disabledBecause: 'merchant' | 'failing' | 'gone' | null;
    readonly lastSuccessAt: UnixMs | null;
    readonly failuresInARow: number;
    readonly lastFailure: EndpointHealth['lastFailure'];
  }[];
  /** Number of recurring requests by status, live and test combined. */
  readonly schedules: Readonly<Record<string, number>>;
}

/** Throws `MERCHANT_NOT_FOUND`. */
export async function getMerchant(
  { db, clock }: Pick<OperationsDeps, 'db' | 'clock'>,
  merchantId: string,
): Promise<MerchantDetail> {
  const [listed] = await describeMerchants(db, [merchantId], clock.now());
  if (listed === undefined) throw merchantNotFound(merchantId);
  const [about, users, keys, runs, schedules] = await Promise.all([
    db.selectFrom('merchant').select(['email', 'plan_cycle']).where('id', '=', merchantId).executeTakeFirstOrThrow(),
    listUsers(db, { merchantId }),
    listKeys(db, merchantId),
    unusedRuns(db, { merchantId }),
    countSchedules(db, merchantId),
  ]);
  return {
    ...listed,
    email: about.email,
    cycle: about.plan_cycle,
    users,
    keys: keys.map(({ id, name, kind, mode, hint, lastUsedAt, endsAt }) => {
      return { id, name, kind, mode, hint, lastUsedAt, endsAt };
    }),
    walletRuns: runs.map(({ network, cryptos, allocated, run, warning }) => {
      return { network, cryptos, allocated, unusedRun: run, warning };
    }),
    endpointStates: await readEndpoints(db, merchantId),
    schedules,
  };
}

// Helpers

async function readEndpoints(db: OperationsDeps['db'], merchantId: string): Promise<MerchantDetail['endpointStates']> {
  const endpoints = await listEndpoints(db, merchantId);
  const ids = endpoints.map(({ id }) => id);
  const health = await readEndpointHealth({ db }, ids);
  return endpoints.map(({ id, description, url, modes, enabled, failingSince, disabledBecause }) => ({
    id,
    name: description,
    host: URL.canParse(url) ? new URL(url).host : '',
    modes,
    isEnabled: enabled,
    failingSince,
    disabledBecause,
    lastSuccessAt: health.get(id)?.lastSuccessAt ?? null,
    failuresInARow: health.get(id)?.failuresInARow ?? 0,
    lastFailure: health.get(id)?.lastFailure ?? null,
  }));
}

async function countSchedules(db: OperationsDeps['db'], merchantId: string): Promise<Record<string, number>> {
  const { rows } = await sql<{ status: string; schedules: number }>`
    select status, count(*) as schedules from schedule
    where merchant_id = ${merchantId} group by status order by status`.execute(db);
  return Object.fromEntries(rows.map(({ status, schedules }) => [status, schedules]));
}

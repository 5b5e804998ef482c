import { isIPv4 } from 'node:net';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/db/index.ts';
import type { Rates } from '../../rates/index.ts';

/** What an installation needs before it can safely accept live payments. */
export type SetupGap =
  | 'merchant'
  | 'live_network'
  | 'wallet'
  | 'rate_source'
  | 'public_url'
  | 'mail'
  | 'second_operator'
  | 'second_factor';

export interface SetupGapsDeps {
  readonly db: Kysely<Database>;
  readonly rates: Pick<Rates, 'status'>;
  readonly installation: Installation;
}

/** What the settings say about this installation. */
export interface Installation {
  /** Names of the networks of live keys, such as `litecoin-mainnet`. */
  readonly liveNetworks: readonly string[];
  readonly sendsMails: boolean;
  readonly publicUrl: string;
}

/**
 * What is missing, in the order to provide it; empty when complete. Rejects with `RetryableError`
 * when the database is unavailable.
 */
export async function listSetupGaps({ db, rates, installation }: SetupGapsDeps): Promise<readonly SetupGap[]> {
  const { liveNetworks, sendsMails, publicUrl } = installation;
  const stored = await readStored(db, liveNetworks);
  const isMissing: Readonly<Record<SetupGap, boolean>> = {
    merchant: !stored.has_merchant,
    live_network: liveNetworks.length === 0,
    wallet: !stored.has_wallet,
    rate_source: rates.status().length === 0,
    public_url: isLoopback(publicUrl),
    mail: !sendsMails,
    second_operator: stored.operators < 2,
    second_factor: stored.operators > stored.operators_with_second_factor,
  };
  return (Object.keys(isMissing) as SetupGap[]).filter((gap) => isMissing[gap]);
}

/** Whether only programs on the same machine reach this URL (RFC 6761, 6.3). */
export function isLoopback(url: string): boolean {
  // URL normalizes forms like 127.1 and [0:0:0:0:0:0:0:1].
  const { hostname } = new URL(url);
  if (isIPv4(hostname)) return hostname.startsWith('127.');
  return hostname === '[::1]' || /(^|\.)localhost\.?$/.test(hostname);
}

// Helpers

interface Stored {
  readonly has_merchant: boolean;
  readonly has_wallet: boolean;
  readonly operators: number;
  readonly operators_with_second_factor: number;
}

/**
 * Users of the service have no merchant, which an index covers. Wallets of test networks do not
 * count. Invited operators count once they have chosen a password.
 */
async function readStored(db: Kysely<Database>, liveNetworks: readonly string[]): Promise<Stored> {
  const { rows } = await sql<Stored>`
    select exists (select from merchant) as has_merchant,
      exists (select from wallet where merchant_id is not null and network = any(${liveNetworks}::text[])) as has_wallet,
      count(*) as operators, count(totp_confirmed_at) as operators_with_second_factor
    from merchant_user
    where merchant_id is null and role = 'operator' and disabled_at is null and password_hash is not null`.execute(db);
  if (rows[0] === undefined) throw new Error('an aggregate query returned no row');
  return rows[0];
}

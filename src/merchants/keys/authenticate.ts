import { type Kysely, sql } from 'kysely';
import { MINUTE_MS, type Mode } from '../../../machines/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { createBatchedLookup, type Database } from '../../platform/db/index.ts';
import { hashApiKey } from '../../platform/secrets/index.ts';
import { type MerchantSettings, withDefaults } from '../settings.ts';

/** The caller: the merchant behind an API key. */
export interface Caller {
  readonly merchantId: string;
  readonly keyId: string;
  readonly kind: 'secret' | 'publishable';
  readonly mode: Mode;
  readonly plan: string;
  readonly settings: MerchantSettings;
}

/** A caller with the restrictions of its key. */
export interface KeyHolder extends Caller {
  /** Allowed source addresses; empty for any. See `isAllowedFrom`. */
  readonly allowedCidrs: readonly string[];
  /** Whether each client address may have only one open payment at a time. */
  readonly oneOpenPaymentPerIp: boolean;
}

export interface Authenticator {
  /**
   * The caller of a key; null when the key is unknown, revoked or has been replaced. Rejects with
   * `RetryableError` without a database. Does not check source addresses: the caller must.
   */
  authenticate(apiKey: string): Promise<KeyHolder | null>;
}

/** The last use of a key is recorded at most this often. */
const USE_RECORDED_EVERY_MS = MINUTE_MS;

/**
 * Reads keys from the database every time, so that a revoked key stops working immediately on every
 * process. Requests in the same turn of the event loop share one query.
 */
export function createAuthenticator({ db, clock }: { db: Kysely<Database>; clock: Clock }): Authenticator {
  const rowOf = createBatchedLookup((hashes) => findKeys(db, hashes, clock));
  const recordUse = createBatchedLookup((keyIds) => recordUses(db, keyIds, clock));

  return {
    async authenticate(apiKey) {
      const row = await rowOf(hashApiKey(apiKey));
      if (row === null) return null;
      // Not awaited, and a failure does not fail the request: the next request records its use
      // instead.
      if (row.isUseDue) recordUse(row.keyId).catch(() => {});
      return toKeyHolder(row);
    },
  };
}

// Helpers

interface KeyRow extends Omit<KeyHolder, 'settings'> {
  readonly keyHash: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly isUseDue: boolean;
}

async function findKeys(db: Kysely<Database>, hashes: readonly string[], clock: Clock): Promise<Map<string, KeyRow>> {
  const now = clock.now();
  const { rows } = await sql<KeyRow>`
    select key_hash as "keyHash", merchant_id as "merchantId", api_key.id as "keyId", kind, mode, plan, settings,
      allowed_cidrs as "allowedCidrs", one_open_payment_per_ip as "oneOpenPaymentPerIp",
      coalesce(last_used_at <= ${new Date(now - USE_RECORDED_EVERY_MS)}, true) as "isUseDue"
    from api_key join merchant on merchant.id = api_key.merchant_id
    where key_hash = any(${hashes}::text[]) and revoked_at is null
      and coalesce(retires_at > ${new Date(now)}, true)`.execute(db);
  return new Map(rows.map((row) => [row.keyHash, row]));
}

/** If several processes see the same use, one of them writes it. Locked rows are skipped. */
async function recordUses(db: Kysely<Database>, keyIds: readonly string[], clock: Clock): Promise<Map<string, never>> {
  const now = clock.now();
  await sql`
    update api_key set last_used_at = ${new Date(now)} where id = any(array(
      select id from api_key where id = any(${keyIds}::text[])
        and coalesce(last_used_at <= ${new Date(now - USE_RECORDED_EVERY_MS)}, true)
      for update skip locked
    ))`.execute(db);
  return new Map<string, never>();
}

function toKeyHolder({ keyHash: _, isUseDue: __, settings, ...holder }: KeyRow): KeyHolder {
  return { ...holder, settings: withDefaults(settings) };
}

import { type Kysely, sql } from 'kysely';
import { MINUTE_MS } from '../../machines/index.ts';
import type { Clock } from '../clock.ts';
import { createBatchedLookup, type Database, whileDatabaseAnswers } from '../db/index.ts';
import { hashApiKey } from '../secrets/index.ts';
import { type MerchantSettings, withDefaults } from './settings.ts';

/** Who is calling: the merchant behind an API key. */
export interface Caller {
  readonly merchantId: string;
  readonly keyId: string;
  readonly kind: 'secret' | 'publishable';
  readonly mode: 'live' | 'test';
  readonly plan: string;
  readonly settings: MerchantSettings;
}

/** A caller with what the merchant has said about the key. */
export interface KeyHolder extends Caller {
  /** Where the key may be used from; empty for anywhere. See `isAllowedFrom`. */
  readonly allowedCidrs: readonly string[];
  /** Whether each client address may have one open payment at a time. */
  readonly oneOpenPaymentPerIp: boolean;
}

export interface Authenticator {
  /**
   * The caller of a key; null when the key is unknown, revoked or was replaced. Rejects with `RetryableError` without
   * database. Where it may be used from is for the caller of this to ask.
   */
  authenticate(apiKey: string): Promise<KeyHolder | null>;
}

/** The last use of a key is written down this often at most. */
const USE_NOTED_EVERY_MS = MINUTE_MS;

/**
 * Looks keys up in the database every time, so that a revoked key is dead at once on every process. Requests that
 * arrive in the same turn of the event loop share one query.
 */
export function createAuthenticator({ db, clock }: { db: Kysely<Database>; clock: Clock }): Authenticator {
  const rowOf = createBatchedLookup((hashes) => whileDatabaseAnswers(() => findKeys(db, hashes, clock)));
  const noteUse = createBatchedLookup((keyIds) => noteUses(db, keyIds, clock));

  return {
    async authenticate(apiKey) {
      const row = await rowOf(hashApiKey(apiKey));
      if (row === null) return null;
      // Nobody waits for it, and a request does not fail because of it: the next one notes its use instead.
      if (row.is_use_to_note) noteUse(row.id).catch(() => {});
      return toKeyHolder(row);
    },
  };
}

// Helpers

interface KeyRow {
  key_hash: string;
  id: string;
  kind: 'secret' | 'publishable';
  mode: 'live' | 'test';
  merchant_id: string;
  plan: string;
  settings: Record<string, unknown>;
  allowed_cidrs: string[];
  one_open_payment_per_ip: boolean;
  is_use_to_note: boolean;
}

async function findKeys(db: Kysely<Database>, hashes: readonly string[], clock: Clock): Promise<Map<string, KeyRow>> {
  const now = clock.now();
  const { rows } = await sql<KeyRow>`
    select key_hash, api_key.id, kind, mode, merchant_id, plan, settings, allowed_cidrs, one_open_payment_per_ip,
      coalesce(last_used_at <= ${new Date(now - USE_NOTED_EVERY_MS)}, true) as is_use_to_note
    from api_key join merchant on merchant.id = api_key.merchant_id
    where key_hash = any(${hashes}::text[]) and revoked_at is null
      and coalesce(retires_at > ${new Date(now)}, true)`.execute(db);
  return new Map(rows.map((row) => [row.key_hash, row]));
}

/** However many processes see the same use, one of them writes it. A row somebody is changing is left alone. */
async function noteUses(db: Kysely<Database>, keyIds: readonly string[], clock: Clock): Promise<Map<string, never>> {
  const now = clock.now();
  await sql`
    update api_key set last_used_at = ${new Date(now)} where id = any(array(
      select id from api_key where id = any(${keyIds}::text[])
        and coalesce(last_used_at <= ${new Date(now - USE_NOTED_EVERY_MS)}, true)
      for update skip locked
    ))`.execute(db);
  return new Map<string, never>();
}

function toKeyHolder(row: KeyRow): KeyHolder {
  return {
    merchantId: row.merchant_id,
    keyId: row.id,
    kind: row.kind,
    mode: row.mode,
    plan: row.plan,
    settings: withDefaults(row.settings),
    allowedCidrs: row.allowed_cidrs,
    oneOpenPaymentPerIp: row.one_open_payment_per_ip,
  };
}

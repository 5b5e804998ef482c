import { type Kysely, sql } from 'kysely';
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

export interface Authenticator {
  /** The caller of a key; null when the key is unknown or revoked. Rejects with `RetryableError` without database. */
  authenticate(apiKey: string): Promise<Caller | null>;
}

/**
 * Looks keys up in the database every time, so that a revoked key is dead at once on every process. Requests that
 * arrive in the same turn of the event loop share one query.
 */
export function createAuthenticator({ db }: { db: Kysely<Database> }): Authenticator {
  const callerOf = createBatchedLookup((hashes) => whileDatabaseAnswers(() => findCallers(db, hashes)));
  return { authenticate: (apiKey) => callerOf(hashApiKey(apiKey)) };
}

// Helpers

async function findCallers(db: Kysely<Database>, hashes: readonly string[]): Promise<Map<string, Caller>> {
  const { rows } = await sql<CallerRow>`
    select key_hash, api_key.id, kind, mode, merchant_id, plan, settings
    from api_key join merchant on merchant.id = api_key.merchant_id
    where key_hash = any(${hashes}::text[]) and revoked_at is null`.execute(db);
  return new Map(rows.map((row) => [row.key_hash, toCaller(row)]));
}

interface CallerRow {
  key_hash: string;
  id: string;
  kind: 'secret' | 'publishable';
  mode: 'live' | 'test';
  merchant_id: string;
  plan: string;
  settings: Record<string, unknown>;
}

function toCaller(row: CallerRow): Caller {
  const { merchant_id: merchantId, id: keyId, kind, mode, plan, settings } = row;
  return { merchantId, keyId, kind, mode, plan, settings: withDefaults(settings) };
}

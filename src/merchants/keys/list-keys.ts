import { type Kysely, sql } from 'kysely';
import type { UnixMs } from '../../../machines/index.ts';
import type { Database } from '../../db/index.ts';
import type { ApiKeyKind, KeyMode } from '../../secrets/index.ts';

/** The displayable part of a key. */
export interface KeySummary {
  readonly id: string;
  readonly kind: ApiKeyKind;
  readonly mode: KeyMode;
  readonly name: string;
  /** Its last four characters. */
  readonly hint: string;
  readonly allowedCidrs: readonly string[];
  readonly oneOpenPaymentPerIp: boolean;
  readonly createdAt: UnixMs;
  /** Accurate to a minute; null when it was never used. */
  readonly lastUsedAt: UnixMs | null;
  /** When it stops or stopped working, possibly in the future. Null: it works until revoked. */
  readonly endsAt: UnixMs | null;
}

/** All current and former keys of a merchant, oldest first. */
export async function listKeys(db: Kysely<Database>, merchantId: string): Promise<KeySummary[]> {
  const { rows } = await sql<KeySummary>`
    select id, kind, mode, name, hint, allowed_cidrs as "allowedCidrs",
      one_open_payment_per_ip as "oneOpenPaymentPerIp", created_at as "createdAt", last_used_at as "lastUsedAt",
      least(revoked_at, retires_at) as "endsAt"
    from api_key where merchant_id = ${merchantId} order by created_at, id`.execute(db);
  return rows;
}

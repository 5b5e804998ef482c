import type { Json, Moment, MomentOfInsert, NullableMoment } from './columns.ts';

export interface MerchantTable {
  id: string;
  /** Stable name in the provisioning file; unique. */
  name: string;
  email: string;
  plan: string;
  settings: Json<Record<string, unknown>>;
  created_at: MomentOfInsert;
}

export interface MerchantUserTable {
  id: string;
  merchant_id: string;
  email: string;
  /** argon2id, PHC string. */
  password_hash: string;
  created_at: MomentOfInsert;
}

export interface ApiKeyTable {
  id: string;
  merchant_id: string;
  kind: 'secret' | 'publishable';
  mode: 'live' | 'test';
  /** SHA-256 of the key, hex. The key itself is shown once and not stored. */
  key_hash: string;
  /** Last four characters, to tell keys apart. */
  hint: string;
  created_at: Moment;
  revoked_at: NullableMoment;
}

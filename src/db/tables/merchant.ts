import type { ColumnType, Generated } from 'kysely';
import type { Json, Moment, MomentOfInsert, NullableJson, NullableMoment } from './columns.ts';

export interface MerchantTable {
  id: string;
  /** Stable name in the provisioning file; unique. */
  name: string;
  email: string;
  /** Tier of the plan in force. */
  plan: string;
  /** What the provisioning file said last; a purchase does not change it. */
  provisioned_plan: string | null;
  /** Likewise; what owners change in the console is not undone by the same file. */
  provisioned_email: string | null;
  provisioned_settings: NullableJson<Record<string, unknown>>;
  /** How the plan was bought; null for one that was given. */
  plan_cycle: 'monthly' | 'yearly' | null;
  /** Null: the plan does not end. */
  plan_expires_at: NullableMoment;
  /** Day of the month the plan was bought on; null: that of `plan_expires_at`. */
  plan_ends_on_day: number | null;
  /** The month, like `2026-11`, in which the monthly limit was reached for the first time ever. */
  limit_first_reached_in: string | null;
  settings: Json<Record<string, unknown>>;
  /** When it signed up, until an operator approves it; null for an approved one. */
  approval_pending_since: ColumnType<number | null, Date | null | undefined, Date | null>;
  created_at: MomentOfInsert;
}

export interface MerchantUserTable {
  id: string;
  /** Null for those who run the service. */
  merchant_id: string | null;
  /** Unique, whatever its capital letters. */
  email: string;
  /** argon2id, PHC string. Null until somebody who was invited has chosen one. */
  password_hash: string | null;
  role: Generated<'owner' | 'staff' | 'operator' | 'observer'>;
  /** Of the authenticator app; counts once it is confirmed. */
  sealed_totp_secret: ColumnType<string | null, string | null | undefined, string | null>;
  totp_confirmed_at: ColumnType<number | null, Date | null | undefined, Date | null>;
  /** Time step (RFC 6238) of the newest code that was taken: none of it or before it is taken again. */
  totp_last_step: ColumnType<number | null, number | null | undefined, number | null>;
  disabled_at: ColumnType<number | null, Date | null | undefined, Date | null>;
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
  /** For people; need not be unique. */
  name: Generated<string>;
  /** Where a secret key may be used from; empty for anywhere. */
  allowed_cidrs: Generated<readonly string[]>;
  one_open_payment_per_ip: Generated<boolean>;
  /** When a key that was replaced stops working; null for one that goes on. */
  retires_at: ColumnType<number | null, Date | null | undefined, Date | null>;
  /** To the minute. */
  last_used_at: ColumnType<number | null, Date | null | undefined, Date | null>;
}

import type { ColumnType, Generated } from 'kysely';
import type { Mode } from '../../../../machines/index.ts';
import type { InsertTimestamp, Json, NullableJson, NullableTimestamp, Timestamp } from './columns.ts';

export interface MerchantTable {
  id: string;
  /** Stable name in the provisioning file; unique. */
  name: string;
  email: string;
  plan: string;
  /** Value last applied from the provisioning file; a purchase does not change it. */
  provisioned_plan: string | null;
  /** Likewise: applying the same file again does not undo changes made in the console. */
  provisioned_email: string | null;
  provisioned_settings: NullableJson<Record<string, unknown>>;
  /** Billing cycle of a purchased plan; null for an assigned one. */
  plan_cycle: 'monthly' | 'yearly' | null;
  /** Null when the plan does not expire. */
  plan_expires_at: NullableTimestamp;
  /** Billing day of the month; null means that of `plan_expires_at`. */
  plan_ends_on_day: number | null;
  /** The month, such as `2026-11`, in which the monthly limit was first reached. */
  limit_first_reached_in: string | null;
  settings: Json<Record<string, unknown>>;
  /** When it signed up, while approval is pending; null once approved. */
  approval_pending_since: ColumnType<number | null, Date | null | undefined, Date | null>;
  /** When its first live payment completed; null until then. */
  first_paid_at: ColumnType<number | null, Date | null | undefined, Date | null>;
  /** End of the last day whose summary was sent or would have been empty; null before the first. */
  summarized_until: ColumnType<number | null, Date | null | undefined, Date | null>;
  created_at: InsertTimestamp;
}

export interface MerchantUserTable {
  id: string;
  /** Null for operators. */
  merchant_id: string | null;
  /** Unique, case-insensitive. */
  email: string;
  /** argon2id, PHC string. Null until an invited user has set a password. */
  password_hash: string | null;
  role: Generated<'owner' | 'staff' | 'operator' | 'observer'>;
  /** Secret of the authenticator app; in effect once confirmed. */
  sealed_totp_secret: ColumnType<string | null, string | null | undefined, string | null>;
  totp_confirmed_at: ColumnType<number | null, Date | null | undefined, Date | null>;
  /**
   * Time step (RFC 6238) of the last accepted code: codes of this or earlier steps are rejected.
   */
  totp_last_step: ColumnType<number | null, number | null | undefined, number | null>;
  disabled_at: ColumnType<number | null, Date | null | undefined, Date | null>;
  created_at: InsertTimestamp;
}

export interface ApiKeyTable {
  id: string;
  merchant_id: string;
  kind: 'secret' | 'publishable';
  mode: Mode;
  /** SHA-256 of the key, hex. The key itself is shown once and not stored. */
  key_hash: string;
  /** Last four characters, to distinguish keys. */
  hint: string;
  created_at: Timestamp;
  revoked_at: NullableTimestamp;
  /** Display name; need not be unique. */
  name: Generated<string>;
  /** CIDR ranges a secret key may be used from; empty for any. */
  allowed_cidrs: Generated<readonly string[]>;
  one_open_payment_per_ip: Generated<boolean>;
  /** When a replaced key stops working; null if not replaced. */
  retires_at: ColumnType<number | null, Date | null | undefined, Date | null>;
  /** Updated at most once a minute. */
  last_used_at: ColumnType<number | null, Date | null | undefined, Date | null>;
}

/** An image that a merchant uploaded; other tables refer to it by id. */
export interface ImageTable {
  /** SHA-256 of the bytes, in hex. */
  id: string;
  content_type: 'image/png' | 'image/jpeg' | 'image/webp';
  bytes: Uint8Array;
  /** Time of the last upload, or when it stopped being a merchant's logo. */
  created_at: Timestamp;
}

/** Audit log of security-relevant changes. Append-only. */
export interface AuditEntryTable {
  id: Generated<number>;
  /** Null for actions of operators that concern no merchant. */
  merchant_id: string | null;
  /** The person or program, if known. */
  who: string;
  /** Noun and past tense, such as `api_key.revoked`. */
  what: string;
  /** Id of the object that was changed. */
  subject_id: string;
  /** Never a secret. */
  details: Json<Readonly<Record<string, unknown>>>;
  occurred_at: Timestamp;
}

/**
 * Requests per key, or per client address without a key, in the current windows. One row each,
 * overwritten when a window ends. Windows are numbered in minutes and hours since 1970.
 */
export interface RequestCountTable {
  subject: string;
  minute: number;
  hour: number;
  in_minute: number;
  in_hour: number;
  /** Limits last applied. */
  per_minute: number;
  per_hour: number;
  /** Number of requests the last statement admitted, read by the process that sent it. */
  admitted: number;
}

/** Price and limits of a plan tier. Seeded by the migration, changed by the operator. */
export interface PlanTable {
  tier: string;
  /** In US cents; null for a price agreed by contract. */
  monthly_price_cents: number | null;
  yearly_price_cents: number | null;
  /** Payments per calendar month; null for unlimited. */
  monthly_transaction_limit: number | null;
  webhook_limit: number | null;
  ip_whitelist: boolean;
  create_detailed: boolean;
  api_rate_limit_per_minute: number;
  api_rate_limit_per_hour: number;
}

/** Payments that count toward the monthly limit; written in the commit that completes them. */
export interface MonthlyUsageTable {
  merchant_id: string;
  /** UTC month, such as `2026-11`. */
  month: string;
  used: number;
}

/**
 * Which plan a billing transaction pays for, and for which merchant. The transaction belongs to the
 * operator.
 */
export interface PlanPurchaseTable {
  transaction_id: string;
  /** The merchant that buys the plan. */
  merchant_id: string;
  mode: Mode;
  tier: string;
  billing_months: number;
  purchase_type: 'plan_upgrade' | 'plan_renewal';
  /** When the plan was activated; null until then, and always in test mode. */
  applied_at: NullableTimestamp;
}

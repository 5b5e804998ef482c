import type { Generated } from 'kysely';
import type { FiatCurrency, Mode } from '../../../../machines/index.ts';
import type { NullableTimestamp, Timestamp } from './columns.ts';

/** A payment link: a shareable URL to pay a merchant. Its terms never change. */
export interface PaymentLinkTable {
  merchant_id: string;
  mode: Mode;
  /** Unique within merchant and mode. */
  slug: string;
  /** Identifies it in its short address; unique over all merchants. */
  code: string;
  title: string;
  description: string | null;
  image_id: string | null;
  /** Null when the customer enters the amount. */
  amount_cents: number | null;
  min_amount_cents: number | null;
  max_amount_cents: number | null;
  currency_fiat: FiatCurrency;
  /** Accepted coins; empty for all of the merchant's. */
  cryptos: readonly string[];
  success_url: string | null;
  expires_at: NullableTimestamp;
  /** Maximum number of payments; null for unlimited. */
  max_uses: number | null;
  /** Completed payments, up to `max_uses`. */
  uses: Generated<number>;
  /** Completed payments beyond `max_uses`. */
  excess_uses: Generated<number>;
  created_at: Timestamp;
  closed_at: NullableTimestamp;
}

/** A payment started through a link; written in the commit that starts it. */
export interface LinkPaymentTable {
  transaction_id: string;
  merchant_id: string;
  mode: Mode;
  slug: string;
  /** Null until it is completed. */
  counted_as: Generated<'use' | 'excess' | null>;
}

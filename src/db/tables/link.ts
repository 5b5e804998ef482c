import type { Generated } from 'kysely';
import type { Moment, NullableMoment } from './columns.ts';

/** What a merchant asks to be paid for, under an address that can be passed on. Terms never change. */
export interface PaymentLinkTable {
  merchant_id: string;
  mode: 'live' | 'test';
  /** Names the link within merchant and mode. */
  slug: string;
  title: string;
  description: string | null;
  /** Null: whoever pays says how much. */
  amount_cents: number | null;
  min_amount_cents: number | null;
  max_amount_cents: number | null;
  currency_fiat: string;
  /** Coins it can be paid in; empty for all that the merchant takes. */
  cryptos: readonly string[];
  success_url: string | null;
  expires_at: NullableMoment;
  /** How often it can be paid; null without bound. */
  max_uses: number | null;
  /** Completed payments, up to `max_uses`. */
  uses: Generated<number>;
  /** Completed payments beyond. */
  excess_uses: Generated<number>;
  created_at: Moment;
  closed_at: NullableMoment;
}

/** A payment that was started by a link; written in the commit that starts it. */
export interface LinkPaymentTable {
  transaction_id: string;
  merchant_id: string;
  mode: 'live' | 'test';
  slug: string;
  /** Null while it is not completed. */
  counted_as: Generated<'use' | 'excess' | null>;
}

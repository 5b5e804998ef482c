import type { Mode } from './desk.ts';

/** Payment links: payment requests under a URL that can be shared. Terms never change. */

/** Amounts are exact decimal text in the currency of the link. */
export type LinkPrice =
  | { readonly kind: 'fixed'; readonly amount: string }
  /** The payer chooses the amount, within these limits. */
  | { readonly kind: 'open'; readonly min: string | null; readonly max: string | null };

/** `used_up`: paid as often as allowed. The last three accept no new payments. */
export type LinkState = 'open' | 'used_up' | 'expired' | 'closed';

export interface LinkInfo {
  /** Identifies it in its URL, within merchant and mode. */
  readonly slug: string;
  readonly title: string;
  readonly description: string | null;
  readonly price: LinkPrice;
  readonly currency: string;
  /** Coins it can be paid in; empty: every coin the merchant accepts. */
  readonly cryptos: readonly string[];
  /** Where the payment page leads after payment: http or https. */
  readonly successUrl: string | null;
  readonly expiresAt: number | null;
  /** How often it can be paid; null without limit. */
  readonly maxUses: number | null;
  readonly uses: number;
  /** Completed payments beyond `maxUses`. */
  readonly excessUses: number;
  /** The oldest of them. */
  readonly excessPaymentIds: readonly string[];
  readonly createdAt: number;
  readonly closedAt: number | null;
  readonly state: LinkState;
}

/** GET `merchant/links?mode=&cursor=`, newest first. */
export interface LinkPage {
  readonly links: readonly LinkInfo[];
  readonly cursor: string | null;
  /** The URL that starts payments, without parameters. */
  readonly payUrl: string;
  /** Coins that can be paid with in this mode now. */
  readonly coins: readonly string[];
}

/** POST `merchant/links`; returns the `LinkInfo`, 201. */
export interface NewLinkBody {
  readonly mode: Mode;
  readonly title: string;
  readonly description?: string;
  /** Omitted: an unguessable one. */
  readonly slug?: string;
  /** A fixed price as decimal text; omitted: the payer chooses the amount. */
  readonly amount?: string;
  /** Minimum and maximum without a fixed price. */
  readonly min?: string;
  readonly max?: string;
  readonly currency: string;
  readonly cryptos?: readonly string[];
  readonly successUrl?: string;
  readonly expiresAt?: number;
  readonly maxUses?: number;
}

/** POST `merchant/links/:slug/close`; returns the `LinkInfo`. */
export interface CloseLinkBody {
  readonly mode: Mode;
}

import type { Mode } from './desk.ts';

/** Payment links: what a merchant asks to be paid for, under an address that can be passed on. Terms never change. */

/** Amounts are exact decimal text in the currency of the link. */
export type LinkPrice =
  | { readonly kind: 'fixed'; readonly amount: string }
  /** Whoever pays says how much, within these bounds. */
  | { readonly kind: 'open'; readonly min: string | null; readonly max: string | null };

/** `used_up`: paid as often as it can be. Each of the last three opens no payment any more. */
export type LinkState = 'open' | 'used_up' | 'expired' | 'closed';

export interface LinkInfo {
  /** Names it in its address, within merchant and mode. */
  readonly slug: string;
  readonly title: string;
  readonly description: string | null;
  readonly price: LinkPrice;
  readonly currency: string;
  /** Coins it can be paid in; none: every one the merchant takes. */
  readonly cryptos: readonly string[];
  /** Where the payment page leads when it is paid: http or https. */
  readonly successUrl: string | null;
  readonly expiresAt: number | null;
  /** How often it can be paid; null without bound. */
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
  /** Where payments are started, without parameters. */
  readonly payUrl: string;
  /** Coins that can be paid with in this mode now. */
  readonly coins: readonly string[];
}

/** POST `merchant/links`; answers the `LinkInfo`, 201. */
export interface NewLinkBody {
  readonly mode: Mode;
  readonly title: string;
  readonly description?: string;
  /** Left out: one that nobody can guess. */
  readonly slug?: string;
  /** A fixed price as decimal text; left out, whoever pays says how much. */
  readonly amount?: string;
  /** The least and the most that can be paid where there is no fixed price. */
  readonly min?: string;
  readonly max?: string;
  readonly currency: string;
  readonly cryptos?: readonly string[];
  readonly successUrl?: string;
  readonly expiresAt?: number;
  readonly maxUses?: number;
}

/** POST `merchant/links/:slug/close`; answers the `LinkInfo`. */
export interface CloseLinkBody {
  readonly mode: Mode;
}

import type { UserInfo } from './accounts.ts';

/** Merchants as operators see them. */

export type Tier = 'starter' | 'business' | 'professional' | 'enterprise';

export interface MerchantRow {
  readonly id: string;
  readonly name: string;
  readonly createdAt: number;
  readonly plan: {
    readonly tier: Tier;
    /** Null: no end date. */
    readonly expiresAt: number | null;
  };
  /** When it signed up, until an operator approves it; null for an approved one. */
  readonly approvalPendingSince: number | null;
  /**
   * Completed live payments of this calendar month (UTC), and the plan's limit; null without limit.
   */
  readonly usage: { readonly used: number; readonly limit: number | null };
  /** Live payments that wait for the merchant's decision. */
  readonly needsAttention: number;
  /** Wallets: coins on a network. */
  readonly wallets: number;
  readonly endpoints: { readonly total: number; readonly failing: number };
}

/** GET `merchants?search=&cursor=`, newest first. */
export interface MerchantPage {
  readonly merchants: readonly MerchantRow[];
  /** Cursor of the next page; null on the last. */
  readonly cursor: string | null;
}

/** GET `merchants/:id`. */
export interface MerchantDetail extends MerchantRow {
  readonly email: string;
  /** Billing cycle; null when the plan was given. */
  readonly cycle: 'monthly' | 'yearly' | null;
  readonly users: readonly UserInfo[];
  readonly keys: readonly {
    readonly id: string;
    readonly name: string;
    readonly kind: 'secret' | 'publishable';
    readonly mode: 'live' | 'test';
    /** The last four characters. */
    readonly hint: string;
    readonly lastUsedAt: number | null;
    /** When it stops working; null: it works until it is revoked. */
    readonly endsAt: number | null;
  }[];
  readonly walletRuns: readonly {
    readonly network: string;
    readonly cryptos: readonly string[];
    readonly handedOut: number;
    /** Addresses handed out above the last one that received a payment. */
    readonly unusedRun: number;
    /** What to do when the wallet may not find a later payment. */
    readonly warning: string | null;
  }[];
  readonly endpointStates: readonly {
    readonly id: string;
    readonly host: string;
    readonly isEnabled: boolean;
    readonly failingSince: number | null;
    readonly disabledBecause: 'merchant' | 'failing' | null;
    readonly lastSuccessAt: number | null;
    readonly failuresInARow: number;
  }[];
  /** Number of recurring payment requests by status. */
  readonly schedules: Readonly<Record<string, number>>;
}

/** POST `merchants/:id/plan`; returns the updated `MerchantDetail`. */
export interface GivenPlanBody {
  readonly tier: Tier;
  /** Omitted: no end date. */
  readonly expiresAt?: number;
  readonly reason: string;
  /** Idempotency key. */
  readonly requestId: string;
}

/** POST `merchants/:id/approve`; returns the updated `MerchantDetail`. */
export interface ApproveBody {
  readonly reason: string;
  /** Idempotency key. */
  readonly requestId: string;
}

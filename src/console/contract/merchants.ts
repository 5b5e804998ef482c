import type { UserInfo } from './accounts.ts';

/** Merchants, as those who run the service see them. */

export type Tier = 'starter' | 'business' | 'professional' | 'enterprise';

export interface MerchantRow {
  readonly id: string;
  readonly name: string;
  readonly createdAt: number;
  readonly plan: {
    readonly tier: Tier;
    /** Null: it does not end. */
    readonly expiresAt: number | null;
  };
  /** When it signed up, until an operator approves it; null for an approved one. */
  readonly approvalPendingSince: number | null;
  /** Completed live payments of this calendar month (UTC), and how many the plan allows; null without bound. */
  readonly usage: { readonly used: number; readonly limit: number | null };
  /** Live payments that wait for a decision of the merchant's. */
  readonly needsAttention: number;
  /** Ways to be paid: coins on a network. */
  readonly wallets: number;
  readonly endpoints: { readonly total: number; readonly failing: number };
}

/** GET `merchants?search=&cursor=`, newest first. */
export interface MerchantPage {
  readonly merchants: readonly MerchantRow[];
  /** Of the next page; null on the last. */
  readonly cursor: string | null;
}

/** GET `merchants/:id`. */
export interface MerchantDetail extends MerchantRow {
  readonly email: string;
  /** How the plan was bought; null when it was given. */
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
    /** From then on it does not work; null: it works until it is revoked. */
    readonly endsAt: number | null;
  }[];
  readonly walletRuns: readonly {
    readonly network: string;
    readonly cryptos: readonly string[];
    readonly handedOut: number;
    /** Addresses given to payments above the last one that was paid to. */
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
  /** How many recurring requests there are, by status. */
  readonly schedules: Readonly<Record<string, number>>;
}

/** POST `merchants/:id/plan`; answers the `MerchantDetail` as it is then. */
export interface GivenPlanBody {
  readonly tier: Tier;
  /** Left out: it does not end. */
  readonly expiresAt?: number;
  readonly reason: string;
  /** Makes a repeated request one request. */
  readonly requestId: string;
}

/** POST `merchants/:id/approve`; answers the `MerchantDetail` as it is then. */
export interface ApproveBody {
  readonly reason: string;
  /** Makes a repeated request one request. */
  readonly requestId: string;
}

import type { ListedMerchant } from '../../operations/index.ts';
import type { PlanTier } from '../../plan-tiers.ts';
import type { UserInfo } from './accounts.ts';

/** Merchants as operators see them. */

/** GET `merchants?search=&isFailing=&cursor=`, newest first. */
export type { ListedMerchant as MerchantRow, MerchantPage } from '../../operations/index.ts';
export type { PlanTier as Tier } from '../../plan-tiers.ts';

/** GET `merchants/:id`. */
export interface MerchantDetail extends ListedMerchant {
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
    readonly disabledBecause: 'merchant' | 'failing' | 'gone' | null;
    readonly lastSuccessAt: number | null;
    readonly failuresInARow: number;
  }[];
  /** Number of recurring payment requests by status. */
  readonly schedules: Readonly<Record<string, number>>;
}

/** POST `merchants/:id/plan`; returns the updated `MerchantDetail`. */
export interface GivenPlanBody {
  readonly tier: PlanTier;
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

import type { UnixMs } from '../../machines/index.ts';
import { type Caller, type PlanTier } from '../merchants/index.ts';
import { TerminalError } from '../platform/errors.ts';
import { isoTimeOrNull } from '../platform/iso-time.ts';
import type { BillingDeps } from './checkout.ts';
import { nextMonthStart } from './months.ts';
import { type Plan, withoutLimits } from './plan.ts';
import { getPlan } from './plan-rows.ts';
import { type PlanUsage, readPlanUsage } from './plan-usage.ts';

/** `Account` of the interface. */
export interface AccountView {
  readonly plan: {
    readonly tier: PlanTier;
    readonly billing_cycle: 'monthly' | 'yearly' | null;
    /** Coins cannot be pulled from a customer, so no plan renews automatically. */
    readonly auto_renewal: false;
    readonly expires_at: string | null;
  };
  readonly usage: {
    readonly monthly_transactions_used: number;
    readonly monthly_transaction_limit: number | null;
    readonly overage_cost_per_tx: 0;
  };
  readonly limits: {
    readonly api_rate_limit_per_minute: number;
    readonly api_rate_limit_per_hour: number;
    readonly webhook_support: boolean;
  };
}

/** Usage that counts toward the plan this month. */
export interface Usage {
  readonly used: number;
  /** Null: unlimited. */
  readonly limit: number | null;
  readonly resetsAt: UnixMs;
}

export type AccountDeps = Pick<BillingDeps, 'db' | 'clock' | 'plansEnabled'>;

/**
 * The account of a merchant, the same for live and test keys. Throws `NO_ACTIVE_PLAN` when its plan
 * is unknown.
 */
export async function getAccount(deps: AccountDeps, { merchantId }: Pick<Caller, 'merchantId'>): Promise<AccountView> {
  const usage = await getUsage(deps, merchantId);
  const { plan, expiresAt } = usage;
  return {
    plan: {
      tier: plan.tier,
      billing_cycle: usage.cycle,
      auto_renewal: false,
      expires_at: isoTimeOrNull(expiresAt),
    },
    usage: {
      monthly_transactions_used: usage.used,
      monthly_transaction_limit: plan.monthlyTransactionLimit,
      overage_cost_per_tx: 0,
    },
    limits: {
      api_rate_limit_per_minute: plan.apiRateLimitPerMinute,
      api_rate_limit_per_hour: plan.apiRateLimitPerHour,
      webhook_support: supportsWebhooks(plan),
    },
  };
}

/** What of its plan a merchant has used this month. Throws `NO_ACTIVE_PLAN`. */
export async function usageOf(deps: AccountDeps, merchantId: string): Promise<Usage> {
  const { used, plan } = await getUsage(deps, merchantId);
  return { used, limit: plan.monthlyTransactionLimit, resetsAt: nextMonthStart(deps.clock.now()) };
}

export function supportsWebhooks({ webhookLimit }: Plan): boolean {
  return webhookLimit === null || webhookLimit > 0;
}

// Helpers

async function getUsage({ db, clock, plansEnabled }: AccountDeps, merchantId: string): Promise<PlanUsage> {
  const usages = await readPlanUsage(db, [merchantId], clock.now());
  const usage = usages.get(merchantId);
  if (usage === undefined) throw new TerminalError('NO_ACTIVE_PLAN', 'This account has no plan.');
  if (plansEnabled) return usage;
  return { ...usage, plan: withoutLimits(await getPlan({ db }, 'enterprise')), cycle: null, expiresAt: null };
}

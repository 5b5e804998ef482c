import { sql } from 'kysely';
import { ASSETS, CRYPTO_SYMBOLS, type CryptoSymbol } from '../../machines/index.ts';
import {
  type Caller,
  type FoundMerchant,
  findMerchant,
  type PlanTier,
  type RequestAuthor,
  writeAudit,
} from '../merchants/index.ts';
import { type CreateDeps, createTransaction, type TransactionView, tooManyOpenPayments } from '../payments/index.ts';
import type { Clock } from '../platform/clock.ts';
import { TerminalError } from '../platform/errors.ts';
import { networkName } from '../wallets/index.ts';
import { buy, type HeldPlan, type PlanOrder, type PurchaseResult } from './buying.ts';
import { priceCents } from './plan.ts';
import { getPlan } from './plan-rows.ts';
import { readPlanUsage } from './plan-usage.ts';

export interface BillingDeps extends CreateDeps {
  readonly clock: Clock;
  /** False: every merchant has the one unlimited plan, and nothing is for sale. */
  readonly plansEnabled: boolean;
  /** Name of the merchant that receives plan payments; null when none are sold. */
  readonly operatorMerchant: string | null;
}

export interface CheckoutRequest {
  readonly tier: PlanTier;
  readonly billingMonths: number;
  /** Null: the first coin that the operator accepts. */
  readonly crypto: CryptoSymbol | null;
  /** The user, for the audit log; absent when the merchant's own program made the request. */
  readonly author?: RequestAuthor;
}

/**
 * Purchases of one buyer that are open and unpaid: each uses an address of the operator's wallet.
 */
export const MAX_OPEN_PURCHASES = 10;
/** Longest term of one purchase. */
export const MAX_BILLING_MONTHS = 120;

/**
 * Starts the payment for a plan: a transaction of the operator's own merchant, in the mode of the
 * caller's key. The commit that completes it assigns the plan, for live keys only. Throws
 * `FORBIDDEN` with the remedy when the plan cannot be bought, and what `createTransaction` throws.
 */
export async function checkout(
  deps: BillingDeps,
  caller: Caller,
  request: CheckoutRequest,
): Promise<TransactionView<string>> {
  const operator = await requireOperator(deps, caller);
  await requireFewOpen(deps, caller);
  const order = { tier: request.tier, months: request.billingMonths };
  const amount = await priceUsd(deps, order);
  const bought = buy(await heldPlan(deps, caller), order, deps.clock.now());
  if (!bought.ok) throw forbidden(REASONS[bought.problem](order.tier));
  const { merchantId, keyId, kind, mode } = caller;
  const { purchaseType } = bought;
  const created = await createTransaction(
    deps,
    // The operator's wallet and settings, without a key.
    { merchantId: operator.id, keyId, kind, mode, plan: operator.plan, settings: operator.settings },
    {
      crypto: request.crypto ?? firstCoin(deps, caller, operator),
      amount,
      currencyFiat: 'USD',
      metadata: {
        purchase_type: purchaseType,
        tier: order.tier,
        billing_months: order.months,
        buyer_merchant_id: merchantId,
      },
      customerEmail: null,
      successUrl: null,
      cancelUrl: null,
    },
    null,
    {
      type: 'billing',
      async onStarted(trx, transactionId) {
        await trx
          .insertInto('plan_purchase')
          .values({
            transaction_id: transactionId,
            merchant_id: merchantId,
            mode,
            tier: order.tier,
            billing_months: order.months,
            purchase_type: purchaseType,
          })
          .execute();
        if (request.author === undefined) return;
        const entry = { merchantId, what: 'merchant.plan_checkout_started', subjectId: transactionId } as const;
        await writeAudit({ ...request.author, trx }, { ...entry, details: { ...order, mode } });
      },
    },
  ).catch(explainWallet);
  return created.transaction;
}

// Helpers

const ASK = 'Contact the operator of this service.';
const REASONS: { readonly [P in Extract<PurchaseResult, { ok: false }>['problem']]: (tier: PlanTier) => string } = {
  never_ends: (tier) => `You already have the ${tier} plan, and it does not expire: there is nothing to renew.`,
  lower_than_held: (tier) =>
    `Your plan is higher than ${tier}; you can buy a lower one when yours has ended (GET /account). ${ASK}`,
};

async function requireOperator(deps: BillingDeps, caller: Caller): Promise<FoundMerchant> {
  if (!deps.plansEnabled) throw forbidden('Plans cannot be bought: this service has no plans and no limits.');
  const { operatorMerchant: name } = deps;
  const operator = name === null ? null : await findMerchant(deps.db, name);
  if (operator === null) {
    throw forbidden(`Plans cannot be bought: the operator has not set OPERATOR_MERCHANT. ${ASK}`);
  }
  if (operator.id !== caller.merchantId) return operator;
  throw forbidden('This account receives the plan payments: set its plan with "quittance merchant plan".');
}

async function requireFewOpen({ db }: BillingDeps, { merchantId, mode }: Caller): Promise<void> {
  const { rows } = await sql<{ open: number }>`
    select count(*)::int4 as open from plan_purchase join transaction_status on transaction_status.id = transaction_id
    where plan_purchase.merchant_id = ${merchantId} and plan_purchase.mode = ${mode} and applied_at is null
      and status = 'pending' and paid_base_units = 0`.execute(db);
  if ((rows[0]?.open ?? 0) < MAX_OPEN_PURCHASES) return;
  throw tooManyOpenPayments(
    `${MAX_OPEN_PURCHASES} purchases of this account are open and unpaid: pay one, or wait until they expire`,
  );
}

async function priceUsd(deps: BillingDeps, order: PlanOrder): Promise<number> {
  const cents = priceCents(await getPlan(deps, order.tier), order.months);
  if (cents === null) {
    throw forbidden(`The price of the ${order.tier} plan is agreed individually, so it cannot be bought here. ${ASK}`);
  }
  if (cents === 0) throw forbidden(`The ${order.tier} plan is free, so there is nothing to pay. ${ASK}`);
  return cents / 100;
}

async function heldPlan({ db, clock }: BillingDeps, { merchantId }: Caller): Promise<HeldPlan> {
  const usage = (await readPlanUsage(db, [merchantId], clock.now())).get(merchantId);
  if (usage === undefined) return { tier: 'starter', cycle: null, expiresAt: null, endsOnDay: null };
  const { plan, cycle, expiresAt, endsOnDay } = usage;
  return { tier: plan.tier, cycle, expiresAt, endsOnDay };
}

/**
 * The first coin, in the order of the interface, that can be paid here. Simulated payments need no
 * wallet, so any coin would do.
 */
function firstCoin({ networks }: BillingDeps, { mode }: Caller, { wallets }: FoundMerchant): CryptoSymbol {
  const isSimulated = networks.isSimulated(mode);
  // A simulated purchase uses the coin that a live one would.
  const walletMode = isSimulated ? 'live' : mode;
  const isConnected = (crypto: CryptoSymbol, network: string) => {
    const { chain } = ASSETS[crypto];
    const kind = networks.kindOf(walletMode, chain);
    return kind !== null && networkName(chain, kind) === network;
  };
  const first = CRYPTO_SYMBOLS.find((symbol) =>
    wallets.some((each) => each.mode === walletMode && each.crypto === symbol && isConnected(symbol, each.network)),
  );
  if (first !== undefined) return first;
  if (isSimulated) return CRYPTO_SYMBOLS[0];
  throw forbidden(`Plans cannot be bought: the operator has no wallet to receive payments. ${ASK}`);
}

/** The missing wallet is the operator's: the caller can only choose another coin. */
function explainWallet(error: unknown): never {
  if (!(error instanceof TerminalError) || error.code !== 'WALLET_NOT_CONFIGURED') throw error;
  throw new TerminalError('WALLET_NOT_CONFIGURED', 'Plans cannot be paid in this coin; choose another `crypto`.', {
    cause: error,
  });
}

function forbidden(message: string): TerminalError {
  return new TerminalError('FORBIDDEN', message);
}

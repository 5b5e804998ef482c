/** Public interface of billing: plans, their usage, and purchases. */

export type { AccountDeps, Usage } from './account.ts';
export { getAccount, supportsWebhooks, usageOf } from './account.ts';
export { createPlanAdmission, createScheduleAdmission } from './admission.ts';
export { applyPurchases } from './apply-purchases.ts';
export type { BillingDeps } from './checkout.ts';
export { checkout, MAX_BILLING_MONTHS } from './checkout.ts';
export { createCompletionCounter } from './count-completions.ts';
export type { Invoice, InvoicePage } from './invoices.ts';
export { listInvoices } from './invoices.ts';
export { monthOf, nextMonthStart } from './months.ts';
export type { Choice, ChoiceObstacle, Offer, PlanSales } from './offer.ts';
export { getOffer } from './offer.ts';
export type { Plan } from './plan.ts';
export { toUsd, toUsdText } from './plan.ts';
export type { PlanChanges } from './plan-rows.ts';
export { assignPlan, changePlan, getPlan, listPlans } from './plan-rows.ts';
export { readPlanUsage } from './plan-usage.ts';

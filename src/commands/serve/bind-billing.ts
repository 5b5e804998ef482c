import type { Billing } from '../../api/index.ts';
import { type BillingDeps, checkout, getAccount, listInvoices, listPlans } from '../../billing/index.ts';
import type { OutageNotice } from '../../outage-notice.ts';

/** Binds the billing operations of the merchant API to their use cases. */
export function bindBilling(deps: BillingDeps, { watch }: Pick<OutageNotice, 'watch'>): Billing {
  return {
    account: (caller) => watch(() => getAccount(deps, caller)),
    plans: () => watch(() => listPlans(deps)),
    invoices: (scope, page) => watch(() => listInvoices(deps, scope, page)),
    checkout: (caller, request) => watch(() => checkout(deps, caller, request)),
  };
}

import type { Mode } from '../../contract/desk.ts';
import type { InvoiceList, PlanCheckout, PlanCheckoutBody, PlanInfo } from '../../contract/plan.ts';
import type { Member } from '../member.ts';

/** The plan of a merchant. */
export interface PlanDesk {
  read(member: Member, mode: Mode): Promise<PlanInfo>;
  listInvoices(
    member: Member,
    query: { readonly mode: Mode; readonly limit: number; readonly offset: number },
  ): Promise<InvoiceList>;
  /**
   * Starts the payment for a plan. Rejects with a `TerminalError` `FORBIDDEN` that gives the reason
   * when it cannot be bought.
   */
  checkout(member: Member, body: PlanCheckoutBody): Promise<PlanCheckout>;
}

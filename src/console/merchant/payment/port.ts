import type { DecisionBody, PaymentInfo, SimulationBody } from '../../contract/payment.ts';
import type { Member } from '../member.ts';

/** One payment. Everything throws `TRANSACTION_NOT_FOUND`, also for another merchant's, and answers with the payment after it. */
export interface PaymentDesk {
  payment(member: Member, id: string): Promise<PaymentInfo>;
  /** Throws `INVALID_STATE`, `REQUEST_REUSED` and `INVALID_REQUEST` besides. */
  decide(member: Member, id: string, decision: DecisionBody): Promise<PaymentInfo>;
  /** Throws `INVALID_STATE`, `INVALID_REQUEST`, and `FORBIDDEN` for what is not simulated. */
  simulate(member: Member, id: string, simulation: SimulationBody): Promise<PaymentInfo>;
}

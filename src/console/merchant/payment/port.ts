import type { DecisionBody, PaymentInfo, SimulationBody } from '../../contract/payment.ts';
import type { Member } from '../member.ts';

/**
 * One payment. Every method throws `TRANSACTION_NOT_FOUND`, also for another merchant's, and
 * returns the updated payment.
 */
export interface PaymentDesk {
  payment(member: Member, id: string): Promise<PaymentInfo>;
  /** Also throws `INVALID_STATE`, `REQUEST_REUSED` and `INVALID_REQUEST`. */
  decide(member: Member, id: string, decision: DecisionBody): Promise<PaymentInfo>;
  /**
   * Throws `INVALID_STATE`, `INVALID_REQUEST`, and `FORBIDDEN` for a payment that is not simulated.
   */
  simulate(member: Member, id: string, simulation: SimulationBody): Promise<PaymentInfo>;
}
